import { type IncomingHttpHeaders, request } from "node:http";
import type { TestContext } from "node:test";
import type { DatabasePool } from "../../../src/db/database.ts";
import { createConsoleCode } from "../../../src/people/open-sessions.ts";
import { CODE_MAX_AGE_MS } from "../../../src/people/token.ts";
import type { TestApp } from "../test-app.ts";

interface BrowserAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on whatever it receives.
  readonly body: any;
}

/** As much of a browser as signing in needs: real requests with its cookies and the headers that a page cannot change. */
export interface Browser {
  /** Name and value of each cookie. */
  readonly cookies: Map<string, string>;
  /** Like a `fetch` of the console's page. Given headers replace those of the browser; an empty text leaves one out. */
  ask(
    method: string,
    path: string,
    options?: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<BrowserAnswer>;
}

export const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

export function openBrowser(url: string): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    ask: async (method, path, { body, headers = {} } = {}) => {
      const sent = {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        "user-agent": USER_AGENT,
        "sec-fetch-site": "same-origin",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      };
      const answer = await send(`${url}${path}`, {
        method,
        headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== "")),
        text: body === undefined ? "" : JSON.stringify(body),
      });
      for (const line of answer.headers["set-cookie"] ?? []) keepCookie(cookies, line);
      return answer;
    },
  };
}

/** A browser that has signed in with a new link, for the token of this name. */
export async function openSignedIn(
  { db, clock }: Pick<TestApp, "db" | "clock">,
  url: string,
  tokenName = "console",
): Promise<Browser> {
  const browser = openBrowser(url);
  const code = await newCode(db, { tokenName, nowMs: clock.nowMs() });
  const { status } = await browser.ask("POST", "/console/sessions", { body: { code } });
  if (status !== 201) throw new Error(`sign-in: ${status}`);
  return browser;
}

export async function newCode(
  db: DatabasePool,
  options: { readonly tokenName?: string; readonly nowMs: number },
): Promise<string> {
  const { tokenName: name = "console", nowMs } = options;
  const which = { token: { name }, maxAgeMs: CODE_MAX_AGE_MS };
  const code = await createConsoleCode(db, which, { name: "cli", nowMs });
  if (code === undefined) throw new Error("no such token");
  return code.text;
}

export async function listen(t: TestContext, { app }: Pick<TestApp, "app">): Promise<string> {
  t.after(() => app.server.closeAllConnections());
  // A shared app keeps the port of its first borrower.
  const address = app.server.address();
  if (typeof address === "object" && address !== null) return `http://127.0.0.1:${address.port}`;
  return app.listen({ port: 0, host: "127.0.0.1" });
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

function send(
  url: string,
  message: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  },
): Promise<BrowserAnswer> {
  const { method, headers, text } = message;
  return new Promise((settle, fail) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () => {
        const received = Buffer.concat(chunks).toString();
        const isJson = String(response.headers["content-type"]).startsWith("application/json");
        settle({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: isJson && received !== "" ? JSON.parse(received) : received,
        });
      });
    });
    sent.on("error", fail);
    sent.end(text);
  });
}
