import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CORRECTION_FIELDS } from "../../src/listings/corrections/correction.ts";
import { KIND_NAMES, KINDS } from "../../src/manifest/schema.ts";
import {
  ACTIVITY_KINDS,
  ACTIVITY_MEMBERS,
  CHANGES_BYTES_MAX,
  toChanges,
} from "../../src/people/activity.ts";

const object = { kind: "webhook_target", id: "" } as const;
const OF_MANIFEST = {
  profiles: "profile",
  views: "view",
  configurations: "configuration",
  alerts: "alert",
  webhooks: "webhook_target",
  group_presets: "group_preset",
} as const;
/** Ids are in `object`, and who wrote it in `actor`. */
const ELSEWHERE = ["id", "created_by", "updated_by"];

function membersOf(kind: keyof typeof ACTIVITY_MEMBERS): readonly string[] {
  const { shown, named = [] }: { shown: readonly string[]; named?: readonly string[] } =
    ACTIVITY_MEMBERS[kind];
  return [...shown, ...named];
}

test("every member that can be written is shown or named", () => {
  const forgotten = Object.entries(OF_MANIFEST).flatMap(([kind, name]) =>
    Object.keys(KINDS[kind as keyof typeof OF_MANIFEST].properties)
      .filter((member) => !ELSEWHERE.includes(member) && !membersOf(name).includes(member))
      .map((member) => `${name}.${member}`),
  );

  assert.deepEqual(forgotten, []);
  assert.deepEqual(membersOf("listing").toSorted(), [...CORRECTION_FIELDS].toSorted());
  assert.deepEqual(membersOf("manifest").toSorted(), [...KIND_NAMES].toSorted());
});

test("a secret, an address and a person are never shown", () => {
  const before = { name: "a", url: "https://x/key", secret: "s1", to: "a@b.example" };
  const after = { name: "b", url: "https://y/key", secret: "s2", to: "c@d.example" };

  const changes = toChanges({ action: "changed", object, before, after });
  const filters = { phone_numbers: { include: ["+44 7700 900120"] }, contact_id: "x", q: "gmt" };
  const ofView = toChanges({
    action: "created",
    object: { kind: "view", id: "" },
    after: { filters },
  });

  assert.deepEqual(changes, [
    { member: "name", before: "a", after: "b" },
    { member: "url" },
    { member: "secret" },
    { member: "to" },
  ]);
  assert.deepEqual(ofView, [{ member: "filters", after: { q: "gmt" } }]);
});

test("a row without a value is as good as none", () => {
  const row = { name: "mei", role: "desk", expires_at_ms: null, revoked_at_ms: null };

  const changes = toChanges({ action: "created", object: { kind: "token", id: "" }, after: row });

  assert.deepEqual(changes, [
    { member: "name", after: "mei" },
    { member: "role", after: "desk" },
  ]);
});

test("members that nobody listed, and those that did not change, leave no trace", () => {
  const before = { name: "a", quiet_hours: { from: "22:00" }, password: "x" };
  const after = { name: "a", quiet_hours: { from: "22:00" }, password: "y" };

  assert.deepEqual(toChanges({ action: "changed", object, before, after }), []);
});

test("however long the values are, the changes fit, and every changed member is named", () => {
  const text = fc.string({ unit: "binary", maxLength: 20_000 });
  const values = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(text, text));
  const kinds = ACTIVITY_KINDS.filter((kind) => membersOf(kind).length > 0);

  fc.assert(
    fc.property(
      fc.constantFrom(...kinds).chain((kind) => {
        const members = fc.dictionary(fc.constantFrom(...membersOf(kind)), values);
        return fc.record({ kind: fc.constant(kind), before: members, after: members });
      }),
      ({ kind, before, after }) => {
        const changes = toChanges({ action: "changed", object: { kind, id: "" }, before, after });

        assert.ok(Buffer.byteLength(JSON.stringify(changes)) <= CHANGES_BYTES_MAX);
        const changed = membersOf(kind).filter(
          (member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]),
        );
        const named = new Set(changes.map(({ member }) => member));
        assert.deepEqual(
          changed.filter((member) => !named.has(member)),
          [],
        );
      },
    ),
    { numRuns: 60 },
  );
});
