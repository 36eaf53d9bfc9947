import type { HeardFact } from "../gateway-event.ts";
import { isErased, writeHeard } from "./heard.ts";
import { at, toObject } from "./json.ts";

/** Returns the message of an exported chat without its sender and text: which group it was in, and when. */
export function eraseInChatExport(
  body: Uint8Array,
  heard: readonly HeardFact[],
): Buffer | undefined {
  const root = toObject(JSON.parse(new TextDecoder().decode(body)));
  if (isErased(root)) return undefined;
  const names = ["assay_chat_export", "group", "group_id", "sent_at_ms"];
  const kept = Object.fromEntries(
    names.flatMap((name) => {
      const value = at(root, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return Buffer.from(JSON.stringify({ assay_erased: true, ...kept, ...writeHeard(heard) }));
}
