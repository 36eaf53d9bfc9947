import type { Lane } from "../db/queue.ts";
import { isConflict, isStoreDown } from "../db/store-error.ts";
import type { Step, TrackName } from "./step.ts";

/**
 * Steps that run one after another. The tracks of a worker run side by side: while one waits for the server, another one
 * calculates.
 */
export interface Track {
  readonly name: TrackName;
  readonly steps: readonly Step[];
  readonly pace: StepPace;
  /** Ends the sleep of the track. Replaced at the start of each turn, so what happens during a turn is not missed. */
  wake: AbortController;
  /** It was told of fresh items and has not looked since, or it found some when it last looked. */
  hasFresh: boolean;
  /** It left its backlog alone because a track has fresh items. */
  isHeld: boolean;
  /** The steps, by lane, whose latest batch was full. */
  readonly full: Readonly<Record<Lane, Set<Step>>>;
  /** How many fresh batches the worker had taken when the track last took one of its backlog. */
  freshCountAtBacklog: number;
}

/** All tracks of a worker. */
export interface Tracks {
  readonly all: readonly Track[];
  /** Batches of fresh items, in all tracks. */
  freshCount: number;
}

/** While fresh items keep coming, each track takes a batch of its backlog after this many fresh batches. */
const FRESH_BATCHES_PER_BACKLOG = 10;

export function openTracks(steps: readonly Step[]): Tracks {
  const names = [...new Set(steps.map(({ track }) => track))];
  return { all: names.map((name) => openTrack(steps, name)), freshCount: 0 };
}

function openTrack(steps: readonly Step[], name: TrackName): Track {
  return {
    name,
    steps: steps.filter(({ track }) => track === name),
    pace: createStepPace(),
    wake: new AbortController(),
    hasFresh: true,
    isHeld: false,
    full: { fresh: new Set(), backlog: new Set() },
    freshCountAtBacklog: 0,
  };
}

/** Tells every track that there may be fresh items. */
export function tellAll(tracks: Tracks): void {
  for (const track of tracks.all) tell(track);
}

/** Tells the track of a step that it may have fresh items. */
export function tellOne({ all }: Tracks, name: TrackName): void {
  for (const track of all) if (track.name === name) tell(track);
}

/** Notes what a track took in its fresh lanes. What it queued is for the next track, nearly always; polling finds the rest. */
export function noteFresh(tracks: Tracks, track: Track, takenCount: number): void {
  const hadFresh = track.hasFresh;
  track.hasFresh = takenCount > 0;
  if (takenCount > 0) {
    tracks.freshCount += 1;
    const next = nextOf(tracks, track);
    if (next !== undefined) tell(next);
  } else if (hadFresh) {
    for (const other of tracks.all) if (other.isHeld) other.wake.abort();
  }
}

/** Notes what a track took of its backlog. */
export function noteBacklog(tracks: Tracks, track: Track, takenCount: number): void {
  if (takenCount === 0) return;
  track.freshCountAtBacklog = tracks.freshCount;
  nextOf(tracks, track)?.wake.abort();
}

export function noteSize(
  track: Track,
  { step, lane }: { readonly step: Step; readonly lane: Lane },
  takenCount: number,
): void {
  if (takenCount >= step.batchMax) track.full[lane].add(step);
  else track.full[lane].delete(step);
}

/** More arrives in this lane than is processed, or much of it is still queued. */
export function isPilingUp({ all }: Tracks, lane: Lane): boolean {
  return all.some(({ full }) => full[lane].size > 0);
}

/** Fresh items go first, in whichever track they are. */
export function mayTakeBacklog(tracks: Tracks, track: Track): boolean {
  track.isHeld =
    tracks.all.some(({ hasFresh }) => hasFresh) &&
    tracks.freshCount - track.freshCountAtBacklog < FRESH_BATCHES_PER_BACKLOG;
  return !track.isHeld;
}

function tell(track: Track): void {
  track.hasFresh = true;
  track.wake.abort();
}

function nextOf({ all }: Tracks, track: Track): Track | undefined {
  return all[all.indexOf(track) + 1];
}

/** When each step may run again. Every step waits on its own, so one that fails does not slow the others. */
interface StepPace {
  isWaiting(step: string): boolean;
  /** How long until the next step may run again; infinite if none waits. */
  waitMs(): number;
  succeeded(step: string): void;
  /** The step waits for a multiple of the time that its batch took. */
  rest(step: string, tookMs: number): void;
  /** Returns how long the step waits now. */
  failed(step: string, error: unknown): number;
}

/** A step that rests takes a quarter of the time at most. */
const REST_FACTOR = 3;
const REST_MAX_MS = 1_000;
const RETRY_MIN_MS = 100;
/** A store that is back is used again within this time. */
const DOWN_MAX_MS = 2_000;
/** A step that fails for another reason will probably fail again. */
const FAILING_MAX_MS = 30_000;

/** A step whose wait ended just now may not have run since. One that ended earlier has its reasons not to run. */
const ENDED_MS = 50;

export function createStepPace(): StepPace {
  const waits = new Map<string, { readonly delayMs: number; readonly untilMs: number }>();
  return {
    isWaiting: (step) => (waits.get(step)?.untilMs ?? 0) > performance.now(),
    waitMs: () => {
      const nowMs = performance.now();
      const left = [...waits.values()]
        .map(({ untilMs }) => untilMs - nowMs)
        .filter((ms) => ms > -ENDED_MS);
      return Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...left));
    },
    succeeded: (step) => {
      waits.delete(step);
    },
    rest: (step, tookMs) => {
      const delayMs = Math.min(tookMs * REST_FACTOR, REST_MAX_MS);
      waits.set(step, { delayMs: 0, untilMs: performance.now() + delayMs });
    },
    failed: (step, error) => {
      const maxMs = isStoreDown(error) || isConflict(error) ? DOWN_MAX_MS : FAILING_MAX_MS;
      const delayMs = Math.min((waits.get(step)?.delayMs || RETRY_MIN_MS / 2) * 2, maxMs);
      waits.set(step, { delayMs, untilMs: performance.now() + delayMs });
      return delayMs;
    },
  };
}
