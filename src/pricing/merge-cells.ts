/**
 * Reads the memberships of the whole market best first, without reading them all. The memberships of one cell and market are
 * stored in the order of their asks, which is their order here. So each of them is a stream that is sorted, and the streams are
 * merged. Each cell has a bound that none of its asks exceeds, so a cell is opened when its bound is the highest thing left.
 *
 * Invariant: what `take` returns comes after all that it has returned before, and before all that is left. For that it returns
 * a member only if it stands above the bound of every cell that is not open, and not behind the last member that was read of a
 * stream that goes on.
 *
 * Example, by profit: cell A has the bound 900 and members of 900, 400 and 100; cell B has the bound 500 and one member of 300.
 * A is opened. Its 900 is above 500 and is returned; 400 is not, so B is opened. Then 400, 300 and 100 follow.
 */
import type { Database } from "../db/database.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import {
  comparePositions,
  firstAskAt,
  firstAskLanded,
  type Minima,
  positionOf,
  type Ranking,
  type RankPosition,
  rankAsk,
  reaches,
} from "./ranking.ts";
import {
  type BoundedCell,
  type CellMember,
  type CellSelection,
  listCells,
  listMembers,
  type MemberRange,
} from "./ranking-store.ts";

/** A member of a cell at its place in the order. Whether it is on offer, and its cell the headline, is not checked. */
export interface RankedMember extends RankPosition {
  readonly configurationId: string;
}

export interface CellMerge {
  /** About the next `count` members. None if there are no more. The same listing in other cells at one place comes with it. */
  take(count: number): Promise<readonly RankedMember[]>;
}

export interface MergeOptions {
  readonly ranking: Ranking;
  readonly minima: Minima;
  readonly cells: CellSelection;
  /** Where to begin. */
  readonly after?: RankPosition;
  /** So many cells are opened at first. */
  readonly cellCount: number;
}

/** The members of one cell in one market. */
interface Stream {
  readonly cell: BoundedCell;
  readonly market: SourceMarket;
  /** Where to go on reading. */
  price: number;
  id: string;
  /** The place of the last member that was read; undefined before the first read. */
  last: RankPosition | undefined;
  isDone: boolean;
}

const NIL_ID = "00000000-0000-0000-0000-000000000000";
const MARKETS: readonly SourceMarket[] = ["EU", "HK"];
/** Later steps open more cells. */
const GROWTH = 4;
const CELLS_MAX = 2_000;
/** Of one stream in one read, unless there are very many streams. */
const MEMBERS_MIN = 2;
const ROWS_MAX = 4_000;

interface Merge {
  readonly db: Database;
  readonly options: MergeOptions;
  /** Those that go on. */
  streams: readonly Stream[];
  /** What was read and not returned, in order. */
  waiting: readonly RankedMember[];
  lastCell: BoundedCell | undefined;
  areAllOpen: boolean;
  cellCount: number;
}

export function createMerge(db: Database, options: MergeOptions): CellMerge {
  const merge: Merge = {
    db,
    options,
    streams: [],
    waiting: [],
    lastCell: undefined,
    areAllOpen: false,
    cellCount: options.cellCount,
  };
  return {
    take: async (count) => {
      let ready = countReady(merge);
      while (ready < count && (await readOn(merge, { count, ready }))) ready = countReady(merge);
      const taken = merge.waiting.slice(0, endOfPlace(merge.waiting, Math.min(ready, count)));
      merge.waiting = merge.waiting.slice(taken.length);
      return taken;
    },
  };
}

/**
 * The first end from here on that does not stand between two members at one place. These are one listing in two cells, and what
 * goes on behind their place would never see the second.
 */
function endOfPlace(waiting: readonly RankedMember[], from: number): number {
  const last = waiting[from - 1];
  if (last === undefined) return from;
  const end = waiting.findIndex((member, at) => at >= from && comparePositions(member, last) !== 0);
  return end === -1 ? waiting.length : end;
}

/** How many of the waiting members can be returned. */
function countReady(merge: Merge): number {
  const bound = findBound(merge);
  const first = merge.streams.reduce<Stream | undefined>(earlier, undefined);
  const end = merge.waiting.findIndex(
    (member) => member.value <= bound || (first !== undefined && isBehind(first, member)),
  );
  return end === -1 ? merge.waiting.length : end;
}

/** No member of a cell that is not open has a higher value. */
function findBound({ areAllOpen, lastCell }: Merge): number {
  if (areAllOpen) return Number.NEGATIVE_INFINITY;
  return lastCell?.bound ?? Number.POSITIVE_INFINITY;
}

/** The stream that was read less far. */
function earlier(left: Stream | undefined, right: Stream): Stream {
  if (left === undefined || right.last === undefined) return right;
  if (left.last === undefined) return left;
  return comparePositions(right.last, left.last) < 0 ? right : left;
}

/** Reads what may belong to the next `count` members. Opens cells only if none is ready. Returns false if it did nothing. */
async function readOn(
  merge: Merge,
  { count, ready }: { readonly count: number; readonly ready: number },
): Promise<boolean> {
  const bound = findBound(merge);
  const last = merge.waiting[count - 1];
  const behind = merge.streams.filter((stream) =>
    last === undefined
      ? stream.last === undefined || stream.last.value > bound
      : isBehind(stream, last),
  );
  if (behind.length > 0) await readStreams(merge, behind, count);
  else if (ready === 0 && !merge.areAllOpen) await openCells(merge, count);
  else return false;
  return true;
}

async function openCells(merge: Merge, count: number): Promise<void> {
  const { db, options, lastCell } = merge;
  const { cells, isLast } = await listCells(db, options.cells, {
    count: merge.cellCount,
    // A cell whose bound is above the start may have members behind it.
    atLeast: options.after?.value ?? Number.MAX_SAFE_INTEGER,
    ...(lastCell === undefined ? {} : { after: lastCell }),
  });
  merge.cellCount = Math.min(GROWTH * merge.cellCount, CELLS_MAX);
  merge.lastCell = cells.at(-1);
  merge.areAllOpen = isLast;
  const opened = cells.flatMap((cell) => MARKETS.map((market) => newStream(cell, market, options)));
  if (opened.length > 0) await readStreams(merge, opened, count);
}

function newStream(cell: BoundedCell, market: SourceMarket, options: MergeOptions): Stream {
  const { after, ranking } = options;
  const lowest = firstAskLanded(cell.lowest_ask_eur_minor, { cell, market });
  const start = after === undefined ? 0 : firstAskAt(after.value, { ranking, cell, market });
  const price = Math.max(lowest, start);
  return { cell, market, price, id: NIL_ID, last: undefined, isDone: false };
}

/** Reads more of each stream, and about `wantedCount` members of all. */
async function readStreams(
  merge: Merge,
  wanted: readonly Stream[],
  wantedCount: number,
): Promise<void> {
  const share = Math.ceil(wantedCount / wanted.length);
  const count = Math.max(share, Math.min(MEMBERS_MIN, Math.ceil(ROWS_MAX / wanted.length)));
  const found: RankedMember[] = [];
  const counts = wanted.map(() => 0);
  for (const row of await listMembers(merge.db, wanted.map(toRange), count)) {
    const stream = wanted[row.at];
    if (stream === undefined || stream.isDone) continue;
    counts[row.at] = (counts[row.at] ?? 0) + 1;
    const member = advance(stream, row, merge.options);
    if (member !== undefined) found.push(member);
  }
  for (const [at, stream] of wanted.entries()) {
    if ((counts[at] ?? 0) < count) stream.isDone = true;
  }
  merge.waiting = [...merge.waiting, ...found].sort(comparePositions);
  merge.streams = [...new Set([...merge.streams, ...wanted])].filter(({ isDone }) => !isDone);
}

/** Moves the stream to its next member. Returns undefined if that one is not wanted, or stands before the start. */
function advance(
  stream: Stream,
  { listing_id: id, price_eur_minor }: CellMember,
  { ranking, minima, after }: MergeOptions,
): RankedMember | undefined {
  const { cell, market } = stream;
  stream.price = price_eur_minor;
  stream.id = id;
  const rank = rankAsk(price_eur_minor, market, cell);
  if (rank === undefined) {
    // Suspect: behind an ask that is too high there are only higher ones.
    stream.isDone = price_eur_minor > cell.market_average_eur_minor;
    return undefined;
  }
  if (!reaches(rank, minima)) {
    stream.isDone = true;
    return undefined;
  }
  const position = positionOf(id, rank, ranking);
  stream.last = position;
  if (after !== undefined && comparePositions(position, after) <= 0) return undefined;
  return { ...position, configurationId: cell.configuration_id };
}

/** Whether members of the stream that were not read may come before this one. */
function isBehind({ last }: Stream, member: RankPosition): boolean {
  return last === undefined || comparePositions(last, member) < 0;
}

function toRange({ cell, market, price, id }: Stream): MemberRange {
  const { configuration_id, year, condition_bucket } = cell;
  return {
    configuration_id,
    year,
    condition_bucket,
    source_market: market,
    price_eur_minor: price,
    listing_id: id,
  };
}
