import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { createWahaClient, type WahaClient } from "../../src/messages/gateways/waha-client.ts";
import { aMessageEvent, GROUP, SESSION_A, type WahaMessage, type WahaSession } from "./waha.ts";

/** A local server that answers as WAHA does: lists of sessions, groups and messages, with its paging and time filter. */
export interface WahaGateway {
  readonly client: WahaClient;
  readonly url: string;
  /** The paths of all requests so far, with their queries. */
  readonly requests: string[];
  readonly messages: ReturnType<typeof aMessageEvent>["payload"][];
  status: string;
  /** False: the session was deleted. */
  isListed: boolean;
  groups: readonly string[];
  /** Returns the status of the response to a path; 200 answers as usual. */
  respond: (path: string) => number;
  add(message: Partial<WahaMessage>): void;
}

export async function openWahaGateway(
  t: TestContext,
  session: WahaSession = SESSION_A,
): Promise<WahaGateway> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://gateway");
    gateway.requests.push(`${url.pathname}${url.search}`);
    response.statusCode = gateway.respond(url.pathname);
    response.end(
      JSON.stringify(response.statusCode === 200 ? answerTo(gateway, session, url) : {}),
    );
  });
  server.listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway: WahaGateway = {
    client: createWahaClient({ url, timeoutMs: 5_000, retryDelayMs: 1 }),
    url,
    requests: [],
    messages: [],
    status: "WORKING",
    isListed: true,
    groups: [GROUP],
    respond: () => 200,
    add: (message) => gateway.messages.push(aMessageEvent({ session, ...message }).payload),
  };
  return gateway;
}

function answerTo(gateway: WahaGateway, session: WahaSession, url: URL): unknown {
  if (url.pathname === "/api/sessions" && !gateway.isListed) return [];
  if (url.pathname === "/api/sessions") {
    const me = { id: `${session.phone}@c.us`, pushName: "Desk" };
    return [{ name: session.name, status: gateway.status, me, engine: { engine: session.engine } }];
  }
  if (url.pathname.endsWith("/groups")) return gateway.groups.map((JID) => ({ JID, Name: JID }));
  const chat = /\/chats\/([^/]+)\/messages$/.exec(decodeURIComponent(url.pathname))?.[1];
  if (chat === undefined) return [];
  const number = (name: string) => Number(url.searchParams.get(name));
  return gateway.messages
    .filter(({ from }: { from?: string }) => chat === "all" || from === chat)
    .filter(
      ({ timestamp }: { timestamp?: number }) => (timestamp ?? 0) >= number("filter.timestamp.gte"),
    )
    .slice(number("offset"), number("offset") + number("limit"));
}
