import assert from "node:assert/strict";
import { test } from "node:test";
import { availableMemory, toSharedBuffers } from "../../../src/db/embedded/cluster.ts";

const GIGABYTE = 1024 ** 3;

test("the page cache is an eighth of the memory, within bounds", () => {
  assert.equal(toSharedBuffers(0.5 * GIGABYTE), "128MB");
  assert.equal(toSharedBuffers(4 * GIGABYTE), "512MB");
  assert.equal(toSharedBuffers(64 * GIGABYTE), "1024MB");
});

test("the memory is that of this machine or container", () => {
  assert.ok(availableMemory() > 0.1 * GIGABYTE);
});
