import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import type { Lane } from "../../src/db/queue.ts";
import type { Step, TrackName } from "../../src/pipeline/step.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import {
  createStepPace,
  isPilingUp,
  mayTakeBacklog,
  noteBacklog,
  noteFresh,
  noteSize,
  openTracks,
  type Track,
  tellAll,
} from "../../src/pipeline/track.ts";

test("the tracks of the pipeline have all steps, in their order", () => {
  const { all } = openTracks(STEPS);

  assert.deepEqual(
    all.flatMap(({ steps }) => steps),
    STEPS,
  );
  assert.deepEqual(
    all.map(({ steps }) => steps.at(-1)?.name),
    ["queue group messages", "extract listings", "rebuild members", "refresh cells"],
  );
});

test("no track takes its backlog while one has fresh items, and all go on when the last is done", () => {
  const { tracks, first, second } = openTwo();
  assert.equal(mayTakeBacklog(tracks, second), false, "nothing is known at the start");

  noteFresh(tracks, first, 0);
  noteFresh(tracks, second, 0);
  assert.equal(mayTakeBacklog(tracks, first), true);

  tellAll(tracks);
  noteFresh(tracks, first, 3);
  assert.equal(mayTakeBacklog(tracks, second), false);

  noteFresh(tracks, first, 0);
  assert.equal(mayTakeBacklog(tracks, second), false, "what the first queued is for the second");
  second.wake = new AbortController();
  noteFresh(tracks, second, 2);
  assert.equal(second.wake.signal.aborted, false);
  noteFresh(tracks, second, 0);
  assert.equal(second.wake.signal.aborted, true, "it was held, and is woken");
  assert.equal(mayTakeBacklog(tracks, second), true);
});

test("the backlog gets a batch after ten fresh ones, so it moves while events keep coming", () => {
  const { tracks, first, second } = openTwo();
  const allowed = Array.from({ length: 40 }, () => {
    noteFresh(tracks, first, 1);
    const mayTake = mayTakeBacklog(tracks, second);
    if (mayTake) noteBacklog(tracks, second, 1);
    return mayTake;
  });

  assert.deepEqual(
    allowed.flatMap((mayTake, at) => (mayTake ? [at + 1] : [])),
    [10, 20, 30, 40],
  );
});

test("a batch wakes the track after it, and not the one before", () => {
  const { tracks, first, second } = openTwo();
  noteBacklog(tracks, first, 0);
  assert.equal(second.wake.signal.aborted, false, "it took nothing");

  noteBacklog(tracks, second, 1);
  assert.equal(first.wake.signal.aborted, false);
  noteBacklog(tracks, first, 1);
  assert.equal(second.wake.signal.aborted, true);
});

test("work piles up in a lane while the latest batch of a step in it was full", () => {
  const { tracks, first } = openTwo();
  const [step] = first.steps as [Step];
  const full = (lane: Lane, takenCount: number) => {
    noteSize(first, { step, lane }, takenCount);
    return [isPilingUp(tracks, "fresh"), isPilingUp(tracks, "backlog")];
  };

  assert.deepEqual(full("backlog", step.batchMax), [false, true]);
  assert.deepEqual(full("fresh", step.batchMax), [true, true]);
  assert.deepEqual(full("fresh", step.batchMax - 1), [false, true]);
  assert.deepEqual(full("backlog", 0), [false, false]);
});

test("a step rests three times as long as its batch took, a second at most", () => {
  const pace = createStepPace();
  pace.rest("slow", 5_000);
  assert.ok(pace.isWaiting("slow"));
  assert.ok(pace.waitMs() <= 1_000, String(pace.waitMs()));

  pace.rest("quick", 100);
  assert.ok(pace.waitMs() <= 300, String(pace.waitMs()));
  pace.succeeded("slow");
  assert.ok(!pace.isWaiting("slow"));
});

test("a step whose rest was over some time ago keeps no track from sleeping", async () => {
  const pace = createStepPace();
  pace.rest("step", 0);
  await sleep(100);

  assert.ok(!pace.isWaiting("step"));
  assert.equal(pace.waitMs(), Number.POSITIVE_INFINITY);
});

function openTwo() {
  const tracks = openTracks([aStep("messages"), aStep("listings")]);
  const [first, second] = tracks.all as [Track, Track];
  return { tracks, first, second };
}

function aStep(track: TrackName): Step {
  return {
    name: track,
    track,
    batchMax: 1,
    hasLanes: true,
    run: async () => ({ takenCount: 0 }),
    waiting: { last: async () => 0, isUpTo: async () => false },
  };
}
