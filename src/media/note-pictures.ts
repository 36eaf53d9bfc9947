import type { Database } from "../db/database.ts";
import type { ReadEvent } from "../messages/canonicalize-events.ts";
import type { MessageFact } from "../messages/gateway-event.ts";
import { readPictures } from "../messages/gateways/waha-pictures.ts";
import { groupIdOf } from "../messages/message.ts";
import { secondOf } from "../messages/occurrences/report.ts";
import { isBetter, type NotedPicture, saveNoted } from "./media-write-store.ts";
import { FRESH_MS, mediaIdOf } from "./picture.ts";
import { type Arrival, reconsiderPlaces } from "./place-store.ts";

/**
 * Notes which messages of a batch have a picture, in the transaction that reads them. What is noted takes a hundred bytes, and nothing
 * is fetched here. Facts of erased persons are missing among the facts, so their pictures are not noted.
 */
export async function notePictures(
  tx: Database,
  events: readonly ReadEvent[],
  nowMs: number,
): Promise<void> {
  const noted = new Map<string, NotedPicture>();
  for (const event of events) {
    for (const picture of listPictures(event, nowMs)) {
      const known = noted.get(picture.id);
      noted.set(picture.id, known === undefined ? picture : joinPictures(known, picture));
    }
  }
  if (noted.size > 0) await saveNoted(tx, [...noted.values()], nowMs);
  await reconsiderPlaces(tx, events.flatMap(listArrivals), nowMs);
}

/** Two events of a batch have the same picture, as of two sessions. */
function joinPictures(known: NotedPicture, other: NotedPicture): NotedPicture {
  const best = isBetter(other, known) ? other : known;
  return {
    ...best,
    album_raw_id: known.album_raw_id ?? other.album_raw_id,
    sender_ids: [...new Set([...known.sender_ids, ...other.sender_ids])],
  };
}

/** Texts, because only these can have a listing that a picture belongs to. */
function listArrivals({ facts }: ReadEvent): readonly Arrival[] {
  return facts.flatMap((fact) =>
    fact.kind === "message" && fact.text.trim() !== ""
      ? [{ group_id: groupIdOf(fact.group), sent_at_ms: fact.sentAtMs }]
      : [],
  );
}

function listPictures({ id, body, facts }: ReadEvent, nowMs: number): readonly NotedPicture[] {
  const messages = facts.filter(
    (fact): fact is MessageFact => fact.kind === "message" && fact.hasMedia,
  );
  if (messages.length === 0 || body === null) return [];
  const pictures = new Map(
    readPictures(body).map((picture) => [`${picture.group} ${picture.rawId}`, picture]),
  );
  return messages.flatMap((fact) => {
    const picture = pictures.get(`${fact.group} ${fact.rawId}`);
    if (picture === undefined) return [];
    const groupId = groupIdOf(fact.group);
    const second = secondOf(fact);
    return [
      {
        id: mediaIdOf(groupId, fact.rawId, second),
        group_id: groupId,
        raw_id: fact.rawId,
        second,
        sent_at_ms: Math.min(fact.sentAtMs, nowMs),
        sender_ids: fact.senderIds,
        raw_event_id: id,
        album_raw_id: picture.albumRawId ?? null,
        has_path: picture.path !== undefined,
        is_fresh: nowMs - fact.sentAtMs < FRESH_MS,
      },
    ];
  });
}
