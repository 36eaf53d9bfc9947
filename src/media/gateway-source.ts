import { isNotFound, type WahaClient } from "../messages/gateways/waha-client.ts";
import { type GatewayPicture, readPicturePath } from "../messages/gateways/waha-pictures.ts";
import { type MediaReason, PICTURE_BYTES_MAX } from "./picture.ts";

/** What came of asking for a picture. */
export type Fetched =
  | { readonly kind: "file"; readonly bytes: Buffer }
  /** Asking again is of no use. */
  | { readonly kind: "gone"; readonly reason: MediaReason }
  | { readonly kind: "failed" }
  /** The service stops, which says nothing about the picture. */
  | { readonly kind: "stopped" };

/** The picture to fetch, as its event has it. */
interface WantedPicture {
  readonly id: string;
  readonly shown: { readonly group_id: string; readonly raw_id: string; readonly second: number };
  readonly picture: GatewayPicture;
}

/** Where pictures come from: the gateway, or in the demo a pencil. */
export type PictureSource = (wanted: WantedPicture) => Promise<Fetched>;

type Client = Pick<WahaClient, "getFile" | "getMessageWithMedia">;

/**
 * Fetches a picture from the gateway. It has the file for some minutes after the event; later, and if it downloaded none, it is asked to
 * download the file of the message again, which works for some weeks. `signal` is the one that ends the client's requests.
 */
export function createGatewaySource(client: Client, signal?: AbortSignal): PictureSource {
  return async ({ picture }) => {
    try {
      const found = picture.path === undefined ? undefined : await getFile(client, picture.path);
      return found ?? (await getAgain(client, picture));
    } catch {
      // A time-out, a redirection, an error of the gateway: the metrics count it.
      return { kind: signal?.aborted === true ? "stopped" : "failed" };
    }
  };
}

/** Returns undefined if the gateway does not have the file. */
async function getFile(client: Client, path: string): Promise<Fetched | undefined> {
  try {
    const bytes = await client.getFile(path, PICTURE_BYTES_MAX);
    return bytes === undefined ? { kind: "gone", reason: "too_large" } : { kind: "file", bytes };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function getAgain(client: Client, picture: GatewayPicture): Promise<Fetched> {
  const { session, group: chat, messageId } = picture;
  const gone = { kind: "gone", reason: "not_at_gateway" } as const;
  try {
    const path = readPicturePath(await client.getMessageWithMedia({ session, chat, messageId }));
    return path === undefined ? gone : ((await getFile(client, path)) ?? gone);
  } catch (error) {
    if (isNotFound(error)) return gone;
    throw error;
  }
}
