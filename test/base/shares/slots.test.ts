import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AppError } from "../../../src/base/errors.ts";
import { createSlots, type Slot, type Slots } from "../../../src/base/shares/slots.ts";

test("a full set refuses newcomers, unless an older holder gives way", () => {
  const slots = createSlots({ countMax: 2, things: "requests" });
  const given: string[] = [];
  const first = slots.tryEnter();
  const second = slots.tryEnter();

  const refused = slots.tryEnter();
  if (second !== undefined) second.giveWay = () => given.push("second");
  const admitted = slots.tryEnter();

  assert.ok(first !== undefined && second !== undefined);
  assert.equal(refused, undefined);
  assert.ok(admitted !== undefined);
  assert.deepEqual(given, ["second"]);
  assert.equal(slots.count(), 2);
});

test("bytes are bounded, and come back when their slot is left or gives way", () => {
  const slots = createSlots({ countMax: 9, things: "events", bytesMax: 100 });
  const [first, second] = [slots.enterNow(), slots.enterNow()];

  assert.ok(slots.tryHold(first, 60));
  assert.ok(!slots.tryHold(second, 60), "there is no room");
  first.giveWay = () => undefined;
  assert.ok(slots.tryHold(second, 60), "the older one gives way");
  assert.ok(!slots.tryHold(first, 1), "a slot that gave way holds nothing more");
  slots.leave(second);
  slots.leave(second);
  const third = slots.enterNow();
  assert.ok(slots.tryHold(third, 100), "all bytes are free again");
  assert.ok(!slots.tryHold(third, 1));
});

test("a slot that is too old is taken back, and its holder is told", async () => {
  const slots = createSlots({ countMax: 2, things: "requests", ageMaxMs: 20 });
  const expired: string[] = [];
  slots.enterNow({ expire: () => expired.push("old") });
  await new Promise((settle) => setTimeout(settle, 30));
  slots.enterNow({ expire: () => expired.push("young") });

  slots.expireOld();

  assert.equal(slots.count(), 1);
  assert.deepEqual(expired, ["old"]);
});

test("whatever keys take and give back, a slot is taken only while more are free than the key holds", () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c"), isTaking: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step), (countMax, steps) => {
      const slots = createSlots({ countMax, things: "streams", isFair: true });
      const held: Slot[] = [];
      for (const { key, isTaking } of steps) {
        const own = held.filter((slot) => slot.key === key);
        if (isTaking) {
          const freeCount = countMax - held.length;
          const result = tryEnterNow(slots, key);
          const expected =
            freeCount === 0 ? "overloaded" : own.length >= freeCount ? "rate_limited" : "taken";
          assert.equal(typeof result === "string" ? result : "taken", expected);
          if (typeof result !== "string") held.push(result);
        } else if (own[0] !== undefined) {
          slots.leave(own[0]);
          slots.leave(own[0]);
          held.splice(held.indexOf(own[0]), 1);
        }
      }
    }),
  );
});

test("those who wait get slots by key in a round, of one key in order of arrival and urgent ones first", async () => {
  const slots = createSlots({ countMax: 1, things: "reads", isFair: true });
  const order: string[] = [];
  const work = async (key: string, name: string, isUrgent = false): Promise<void> => {
    const slot = await slots.enter({ key, isUrgent });
    order.push(name);
    slots.leave(slot);
  };
  const first = slots.enterNow({ key: "a" });

  const waiting = [
    work("a", "a1"),
    work("a", "a2"),
    work("a", "a3"),
    work("b", "b1"),
    work("b", "b2"),
    work("a", "a urgent", true),
    work("c", "c1"),
  ];
  assert.equal(slots.waitingCount(), 7);
  slots.leave(first);
  await Promise.all(waiting);

  assert.deepEqual(order, ["a urgent", "b1", "c1", "a1", "b2", "a2", "a3"]);
  assert.equal(slots.waitingCount(), 0);
});

test("whatever keys wait and leave, every waiting key has its turn after at most one of each other key", async () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), isEntering: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.array(step, { maxLength: 80 }),
      async (countMax, steps) => {
        const slots = createSlots({ countMax, things: "reads", isFair: true });
        const held: Slot[] = [];
        // For each waiting key, how often each other key was served since it began to wait.
        const passedBy = new Map<string, Map<string, number>>();
        const serve = (slot: Slot): void => {
          held.push(slot);
          passedBy.delete(slot.key);
          for (const [key, served] of passedBy) {
            served.set(slot.key, (served.get(slot.key) ?? 0) + 1);
            const holds = held.filter((other) => other.key === key).length;
            if (holds === 0) assert.ok((served.get(slot.key) ?? 0) <= countMax);
          }
          if (slots.hasWaiting(slot.key)) passedBy.set(slot.key, new Map());
        };
        for (const { key, isEntering } of steps) {
          if (isEntering) {
            const entered = slots.enter({ key });
            if (slots.hasWaiting(key) && !passedBy.has(key)) passedBy.set(key, new Map());
            void entered.then(serve);
          } else {
            const slot = held.shift();
            if (slot !== undefined) slots.leave(slot);
          }
          await Promise.resolve();
          await Promise.resolve();
          assert.ok(slots.count() <= countMax);
        }
        while (held.length > 0 || slots.waitingCount() > 0) {
          const slot = held.shift();
          assert.ok(slot !== undefined, "whoever waits gets a slot once all others have left");
          slots.leave(slot);
          await Promise.resolve();
          await Promise.resolve();
        }
      },
    ),
  );
});

test("a caller without a slot in time is refused, and one too many at once", async () => {
  const slots = createSlots({ countMax: 1, things: "reads", waitingMax: 1 });
  const slot = slots.enterNow();

  const waiting = slots.enter({ untilMs: performance.now() + 20 });
  await assert.rejects(slots.enter(), { code: "overloaded", message: /^too many reads/ });
  await assert.rejects(waiting, { code: "overloaded" });

  assert.equal(slots.waitingCount(), 0);
  slots.leave(slot);
  assert.equal((await slots.enter()).key, "");
});

test("all that wait under a key can be refused, and the others go on waiting", async () => {
  const slots = createSlots({ countMax: 1, things: "reads" });
  const slot = slots.enterNow();
  const [first, second, other] = [
    slots.enter({ key: "a" }),
    slots.enter({ key: "a" }),
    slots.enter({ key: "b" }),
  ];

  slots.refuseWaiting("a", new AppError("rate_limited", "no more"));
  slots.leave(slot);

  await assert.rejects(first, { code: "rate_limited" });
  await assert.rejects(second, { code: "rate_limited" });
  assert.equal((await other).key, "b");
});

function tryEnterNow(slots: Slots, key: string): Slot | string {
  try {
    return slots.enterNow({ key });
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.code;
  }
}

test("a key has no more slots than its bound, however many are free", () => {
  const slots = createSlots({ countMax: 8, things: "reads", isFair: true, ofKeyMax: 2 });

  const taken = ["a", "a", "a", "b", "b", "b"].map((key) => slots.tryEnter({ key })?.key);

  assert.deepEqual(taken, ["a", "a", undefined, "b", "b", undefined]);
  assert.equal(slots.refusalOf("a").code, "rate_limited");
});
