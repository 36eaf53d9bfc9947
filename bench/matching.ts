// Listings matched against N saved filters: the reverse index next to the predicate loop, mingo and PostgreSQL with a GIN
// index, in turn in one run over the same listings.
//   SIZES=1000,10000 node --import tsx bench/matching.ts     a shorter run

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { shareOf } from "../src/filters/index/keys.ts";
import { planFilter } from "../src/filters/index/plan.ts";
import { createReverseIndex, type ReverseIndex } from "../src/filters/index/reverse-index.ts";
import { type Filter, parseFilter } from "../src/filters/language/filter.ts";
import { matches } from "../src/filters/language/predicate.ts";
import type { ListingFacts } from "../src/listings/listing.ts";
import { CONTEXT, loopPeer, mingoPeer, type Peer, postgresPeer } from "./support/filter-peers.ts";
import { createMarket, type Market } from "./support/market.ts";
import { cpuUs, openStore, runBenchmark, type Store } from "./support/runner.ts";

const SIZES = (process.env["SIZES"] ?? "1000,10000,100000,1000000").split(",").map(Number);
const ROUNDS = 5;
const LISTINGS = 1_000;
const SAMPLE = 10_000;
const CHUNK = 10_000;
const SEED = 7;
/** Above this size only the predicate loop is compared, in chunks. */
const WHOLE_MAX = 100_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const round = (value: number) => Number(value.toPrecision(3));

await runBenchmark("matching", async (t) => {
  const store = await openStore(t);
  const sizes: object[] = [];
  for (const size of SIZES) sizes.push(await measureSize(store, size));
  return { unit: "us of CPU time per listing, one core, minimum of rounds", sizes };
});

async function measureSize(store: Store, size: number) {
  const market = createMarket(SEED);
  const sample = Array.from({ length: SAMPLE }, () => market.listing());
  const heapBefore = heapBytes();
  const index = createReverseIndex({ ...CONTEXT, onFailure: () => undefined });
  for (const listing of sample) index.observe(listing);
  let buildUs = 0;
  for (const { from, filters } of chunksOf(market, size)) {
    buildUs += cpuUs(() => {
      for (const [at, filter] of filters.entries()) index.save(toFilterId(from + at), filter);
    });
  }
  const heapMb = (heapBytes() - heapBefore) / 1e6;
  const stats = index.stats();
  const listings = Array.from({ length: LISTINGS }, () => market.listing());
  const { indexUs, peers } =
    size <= WHOLE_MAX
      ? await comparePeers(index, listings, await createPeers(store, index, size))
      : compareLoop(index, listings, size);
  const found = countMatches(index, listings);
  return {
    filters: size,
    index_us: round(indexUs),
    listings_per_s: Math.round(1e6 / indexUs),
    matches_per_listing: round(found / LISTINGS),
    ns_per_match: round((indexUs * 1000 * LISTINGS) / found),
    build_s: round(buildUs / 1e6),
    change_us: round(measureChanges(index, size)),
    heap_mb: round(heapMb),
    of_which_numbers_mb: round(stats.bytes / 1e6),
    records: stats.recordCount,
    every_listing: stats.everyListingCount,
    peers,
  };
}

/** Yields the same filters each time: the market is a function of its seed. */
function* chunksOf(
  market: Market,
  size: number,
): Generator<{ readonly from: number; readonly filters: readonly Filter[] }> {
  for (let from = 0; from < size; from += CHUNK) {
    const length = Math.min(CHUNK, size - from);
    yield { from, filters: Array.from({ length }, () => parseFilter(market.filter())) };
  }
}

function regenerateFilters(size: number) {
  const market = createMarket(SEED);
  for (let at = 0; at < SAMPLE; at += 1) market.listing();
  return chunksOf(market, size);
}

/** The minimum of three runs: after a peer has run, the index is no longer in the processor's caches. */
function indexUsOn(index: ReverseIndex, listings: readonly ListingFacts[]): number {
  const runsUs = Array.from({ length: 3 }, () => cpuUs(() => countMatches(index, listings)));
  return Math.min(...runsUs) / listings.length;
}

/** A slow peer gets fewer listings. */
async function createPeers(
  store: Store,
  index: ReverseIndex,
  size: number,
): Promise<readonly Peer[]> {
  const filters = [...regenerateFilters(size)].flatMap((chunk) => chunk.filters);
  const anchored = filters.map((filter) => ({ filter, anchors: anchorsOf(index, filter) }));
  const few = Math.max(4, Math.min(200, Math.floor(400_000 / size)));
  return [
    loopPeer(filters, Math.max(20, few)),
    mingoPeer(filters, few),
    await postgresPeer(store, anchored, 200),
  ];
}

/** Runs all peers in turn, round by round, and the index on the same listings after each. */
async function comparePeers(
  index: ReverseIndex,
  listings: readonly ListingFacts[],
  peers: readonly Peer[],
) {
  let indexUs = Number.POSITIVE_INFINITY;
  const best = new Map(
    peers.map(({ name }) => [name, { us: Infinity, same: Infinity, agrees: true }]),
  );
  for (let at = 0; at < ROUNDS; at += 1) {
    indexUs = Math.min(indexUs, indexUsOn(index, listings));
    for (const peer of peers) {
      const own = listings.slice(0, peer.listingCount);
      const state = best.get(peer.name) ?? { us: 0, same: 0, agrees: false };
      // Slow peers run in two rounds only: their times vary little.
      if (at > 1 && peer.listingCount < 10) continue;
      const { us, found } = await peer.run(own);
      const repeated = Array.from({ length: Math.ceil(500 / own.length) }, () => own).flat();
      state.us = Math.min(state.us, us);
      state.same = Math.min(state.same, indexUsOn(index, repeated));
      state.agrees &&= found === countMatches(index, own);
    }
  }
  return {
    indexUs,
    peers: Object.fromEntries([...best].map(([name, state]) => [name, toComparison(state)])),
  };
}

/** Runs the loop over a million filters in chunks, so that they are not all in memory at once. */
function compareLoop(index: ReverseIndex, listings: readonly ListingFacts[], size: number) {
  const own = listings.slice(0, 20);
  let us = 0;
  let found = 0;
  let indexUs = Number.POSITIVE_INFINITY;
  let same = Number.POSITIVE_INFINITY;
  for (const { from, filters } of regenerateFilters(size)) {
    us += cpuUs(() => {
      for (const listing of own)
        for (const filter of filters) if (matches(filter, listing, CONTEXT)) found += 1;
    });
    if (from % (size / ROUNDS) !== 0) continue;
    indexUs = Math.min(indexUs, indexUsOn(index, listings));
    same = Math.min(same, indexUsOn(index, Array.from({ length: 10 }, () => own).flat()));
  }
  const agrees = found === countMatches(index, own);
  return {
    indexUs,
    peers: { predicate_loop: toComparison({ us: us / own.length, same, agrees }) },
  };
}

function toComparison({
  us,
  same,
  agrees,
}: {
  readonly us: number;
  readonly same: number;
  readonly agrees: boolean;
}) {
  return { us: round(us), index_us_on_same: round(same), times: round(us / same), agrees };
}

function countMatches(index: ReverseIndex, listings: readonly ListingFacts[]): number {
  return listings.reduce((sum, listing) => sum + index.match(listing).length, 0);
}

/** The values of the filter's rarest clause, for the GIN index of the PostgreSQL peer. */
function anchorsOf({ parts }: ReverseIndex, filter: Filter): readonly string[] {
  const { required, implied } = planFilter(filter);
  const [rarest] = [...required, ...implied].sort(
    (left, right) => shareOf(parts.keys, left) - shareOf(parts.keys, right),
  );
  return rarest?.values.map((value) => `${rarest.space}:${value}`) ?? ["every listing"];
}

/** CPU time of replacing one filter by another, under a different id each time. */
function measureChanges(index: ReverseIndex, size: number): number {
  const filters = [...regenerateFilters(Math.min(size, CHUNK))].flatMap((chunk) => chunk.filters);
  const changes = 5_000;
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < 3; at += 1) {
    const us = cpuUs(() => {
      for (let change = 0; change < changes; change += 1) {
        const filter = filters[(change * 31 + at) % filters.length];
        if (filter !== undefined) index.save(toFilterId((change * 7919 + at) % size), filter);
      }
    });
    best = Math.min(best, us / changes);
  }
  return best;
}

function toFilterId(at: number): string {
  return `alert:40000000-0000-5000-8000-${at.toString(16).padStart(12, "0")}`;
}

function heapBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
