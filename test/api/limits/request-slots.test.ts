import assert from "node:assert/strict";
import { Socket } from "node:net";
import { test } from "node:test";
import { createRequestSlots } from "../../../src/api/limits/request-slots.ts";

test("a full set refuses newcomers, unless an older request gives way", () => {
  const slots = createRequestSlots({ countMax: 2, ageMaxMs: 60_000 });
  const socket = new Socket();
  const given: string[] = [];
  const first = slots.tryEnter(socket);
  const second = slots.tryEnter(socket);

  const refused = slots.tryEnter(socket);
  if (second !== undefined) second.giveWay = () => given.push("second");
  const admitted = slots.tryEnter(socket);

  assert.ok(first !== undefined && second !== undefined);
  assert.equal(refused, undefined);
  assert.ok(admitted !== undefined);
  assert.deepEqual(given, ["second"]);
  assert.equal(slots.count(), 2);
});

test("bytes are bounded, and come back when their request leaves or gives way", () => {
  const slots = createRequestSlots({ countMax: 9, ageMaxMs: 60_000, bytesMax: 100 });
  const socket = new Socket();
  const [first, second] = [slots.tryEnter(socket), slots.tryEnter(socket)];
  assert.ok(first !== undefined && second !== undefined);

  assert.ok(slots.tryHold(first, 60));
  assert.ok(!slots.tryHold(second, 60), "there is no room");
  first.giveWay = () => undefined;
  assert.ok(slots.tryHold(second, 60), "the older one gives way");
  assert.ok(!slots.tryHold(first, 1), "a request that gave way holds nothing more");
  slots.leave(second);
  slots.leave(second);
  const third = slots.tryEnter(socket);
  assert.ok(third !== undefined && slots.tryHold(third, 100), "all bytes are free again");
  assert.ok(!slots.tryHold(third, 1));
});

test("a slot that is too old is taken back, and its connection closed", async () => {
  const slots = createRequestSlots({ countMax: 2, ageMaxMs: 20 });
  const socket = new Socket();
  slots.tryEnter(socket);
  await new Promise((settle) => setTimeout(settle, 30));

  slots.closeOverdue();

  assert.equal(slots.count(), 0);
  assert.ok(socket.destroyed);
});
