/**
 * Brings the stored occurrences and versions of raw ids in line with what their reports say now.
 *
 * Invariant: afterwards the store has what `deriveOccurrences` returns, and nothing else, for these raw ids. Their rows in
 * `reported_message` are locked, so no other worker changes them at the same time.
 *
 * Example: AA01 was reported without a sender and has one occurrence without a contact. Now a second session names its
 * sender. The old occurrence and its version are removed, an occurrence of the sender is added, and the message that the
 * text belonged to moves to a message of the sender.
 */
import { isDeepStrictEqual } from "node:util";
import { groupBy } from "../../base/group-by.ts";
import type { Database } from "../../db/database.ts";
import type {
  DerivedOccurrence,
  MessageMove,
  Occurrence,
  OccurrenceChanges,
  StoredVersion,
  Version,
} from "./occurrence.ts";
import {
  addVersions,
  findOccurrences,
  findVersions,
  type RawKey,
  removeOccurrences,
  removeVersions,
  saveOccurrences,
} from "./occurrence-store.ts";

/** A raw id, whether it has been stored before, and its occurrences as they are to be. */
export interface DerivedMessage extends RawKey {
  readonly isNew: boolean;
  readonly occurrences: readonly DerivedOccurrence[];
}

export async function saveDerived(
  tx: Database,
  messages: readonly DerivedMessage[],
): Promise<OccurrenceChanges> {
  const plain = messages.filter(isPlain).flatMap(({ occurrences }) => occurrences);
  const others = messages.filter((message) => !isPlain(message));
  const known = others.filter(({ isNew }) => !isNew);
  const stored = known.length === 0 ? [] : await findOccurrences(tx, known);
  const versions =
    stored.length === 0
      ? []
      : await findVersions(
          tx,
          stored.map(({ id }) => id),
        );
  const changes = compare(others, stored, versions);
  const added = [...changes.addedVersions, ...plain.flatMap((occurrence) => occurrence.versions)];
  const saved = [...changes.saved, ...plain];
  // A connection runs statements in the order in which they were sent.
  await Promise.all([
    changes.removedVersions.length > 0 ? removeVersions(tx, changes.removedVersions) : undefined,
    changes.removedIds.length > 0 ? removeOccurrences(tx, changes.removedIds) : undefined,
    saved.length > 0 ? saveOccurrences(tx, saved) : undefined,
    added.length > 0 ? addVersions(tx, added) : undefined,
  ]);
  return {
    plain,
    changed: changes.saved,
    before: changes.before,
    contactIds: changes.contactIds,
    formerIds: changes.removedVersions.map((version) => version.canonical_message_id),
    moves: changes.moves,
  };
}

/** True for a new raw id with one occurrence that has one text and is not revoked. */
function isPlain({ isNew, occurrences }: DerivedMessage): boolean {
  const [only, other] = occurrences;
  return (
    isNew &&
    only !== undefined &&
    other === undefined &&
    only.versions.length === 1 &&
    !only.is_revoked
  );
}

interface Comparison {
  readonly saved: readonly DerivedOccurrence[];
  readonly before: readonly Occurrence[];
  readonly removedIds: readonly string[];
  readonly addedVersions: readonly Version[];
  readonly removedVersions: readonly StoredVersion[];
  readonly contactIds: ReadonlyMap<string, string | null>;
  readonly moves: readonly MessageMove[];
}

function compare(
  messages: readonly DerivedMessage[],
  stored: readonly Occurrence[],
  versions: readonly StoredVersion[],
): Comparison {
  const derived = messages.flatMap(({ occurrences }) => occurrences);
  const derivedById = new Map(derived.map((occurrence) => [occurrence.id, occurrence]));
  const storedById = new Map(stored.map((occurrence) => [occurrence.id, occurrence]));
  const wanted = new Set(derived.flatMap((row) => row.versions.map(nameOf)));
  const present = new Set(versions.map(nameOf));
  const addedVersions = derived.flatMap((row) =>
    row.versions.filter((v) => !present.has(nameOf(v))),
  );
  const removedVersions = versions.filter((version) => !wanted.has(nameOf(version)));
  const touchedIds = new Set(
    [...addedVersions, ...removedVersions].map((version) => version.occurrence_id),
  );
  const saved = derived.filter(
    (row) => touchedIds.has(row.id) || !isSame(storedById.get(row.id), row),
  );
  const savedIds = new Set(saved.map(({ id }) => id));
  const removed = stored.filter(({ id }) => !derivedById.has(id));
  return {
    saved,
    before: [...removed, ...stored.filter(({ id }) => savedIds.has(id))],
    removedIds: removed.map(({ id }) => id),
    addedVersions,
    removedVersions,
    contactIds: new Map(
      saved.flatMap((row) =>
        row.versions.map((version) => [version.canonical_message_id, row.contact_id] as const),
      ),
    ),
    moves: listMoves(removedVersions, { storedById, derived }),
  };
}

function nameOf({ occurrence_id, version_at_ms, text_sha256 }: StoredVersion): string {
  return `${occurrence_id} ${version_at_ms} ${text_sha256}`;
}

function isSame(stored: Occurrence | undefined, derived: DerivedOccurrence): boolean {
  if (stored === undefined) return false;
  const names = Object.keys(stored) as (keyof Occurrence)[];
  return names.every((name) => isDeepStrictEqual(stored[name], derived[name]));
}

/** Finds the same text of the same message under its new sender: the one that a session named before, if one did. */
function listMoves(
  removed: readonly StoredVersion[],
  of: {
    readonly storedById: ReadonlyMap<string, Occurrence>;
    readonly derived: readonly DerivedOccurrence[];
  },
): readonly MessageMove[] {
  if (removed.length === 0) return [];
  const keyOf = ({ group_id, raw_id, second }: Occurrence) => `${group_id} ${second} ${raw_id}`;
  const derivedByKey = groupBy(of.derived, keyOf);
  return removed.flatMap((version) => {
    const before = of.storedById.get(version.occurrence_id);
    if (before === undefined) return [];
    const candidates = derivedByKey.get(keyOf(before)) ?? [];
    const found =
      before.sender_ids.length === 0
        ? candidates[0]
        : candidates.find((row) => row.sender_ids.some((id) => before.sender_ids.includes(id)));
    const to = found?.versions.find(
      (row) =>
        row.version_at_ms === version.version_at_ms && row.text_sha256 === version.text_sha256,
    )?.canonical_message_id;
    const from = version.canonical_message_id;
    return to === undefined || to === from ? [] : [{ from, to }];
  });
}
