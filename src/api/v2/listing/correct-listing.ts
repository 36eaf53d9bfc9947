import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import { sleep } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import type { ChangeFeed } from "../../../db/changes.ts";
import type { Database } from "../../../db/database.ts";
import { correctListing } from "../../../listings/corrections/correct-listing.ts";
import {
  AMOUNT_MINOR_MAX,
  CARD_MONTHS,
  CORRECTION_FIELDS,
  type CorrectionField,
  type CorrectionValue,
  isCorrectionText,
  isCurrency,
  WORDS_MAX,
  YEARS,
} from "../../../listings/corrections/correction.ts";
import { isListingQueued } from "../../../listings/corrections/correction-store.ts";
import type { WantedCorrection } from "../../../listings/corrections/draft-corrections.ts";
import { CONDITIONS, FULL_SET_STATUSES, SIDES, STATUSES } from "../../../listings/listing.ts";
import { findListing } from "../../../listings/listing-store.ts";
import { Listing, ListingParams, toListingBody } from "../market/listing-body.ts";
import { failures, named, notFound, optional, type RouteContext, typed } from "../schemas.ts";
import { authorOf } from "../writes.ts";

/** Waits for the worker after a correction. */
interface ReadingWatch {
  /** Returns true once the message of the listing is read, false if that takes too long. */
  wait(listingId: string): Promise<boolean>;
}

const URL = "/v2/market/listings/:listing_id/correction";
/** The rest of a handler's five seconds is for the correction and the answer. */
const WAIT_MAX_MS = 3_000;
/** A NOTIFY can be lost, and a message that is read as before changes no listing, so the queue is also polled. */
const POLL_MS = 250;
/** A busy market changes listings all the time; a waiting request asks no more often than this. */
const PAUSE_MS = 30;

const WAITING =
  "The response is the listing after its message was read again. If no worker does that within three seconds, it is 503: " +
  "the correction is stored and will hold, and the request can be repeated.";

const Words = Type.String({ minLength: 1, maxLength: WORDS_MAX });

const CorrectedPrice = Type.Object(
  {
    amount_minor: Type.Integer({ minimum: 0, maximum: AMOUNT_MINOR_MAX }),
    currency: Type.String({
      pattern: "^[A-Za-z]{3,5}$",
      description: "A code such as EUR, HKD or USDT.",
    }),
  },
  { additionalProperties: false },
);

/** What a person says about a listing: the members that can be corrected, and nothing else. */
const CorrectionBody = Type.Object(
  {
    side: optional(Type.Enum([...SIDES])),
    brand: nullable(Words),
    model: nullable(Words),
    reference: nullable(Words),
    dial_type: nullable(Words),
    variant: nullable(Words),
    year: nullable(Type.Integer({ minimum: YEARS.min, maximum: YEARS.max })),
    card_month: nullable(Type.Integer({ minimum: CARD_MONTHS.min, maximum: CARD_MONTHS.max })),
    condition: nullable(Type.Enum([...CONDITIONS])),
    full_set_status: nullable(
      Type.Array(Type.Enum([...FULL_SET_STATUSES]), {
        minItems: 1,
        maxItems: FULL_SET_STATUSES.length,
      }),
    ),
    price: nullable(CorrectedPrice),
    alternative_price: nullable(CorrectedPrice),
    status: nullable(Type.Enum([...STATUSES])),
    is_listing: optional(
      Type.Boolean({
        description:
          "`false`: the text offers and asks for nothing there. `true`: it does, although it was read as talk.",
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ year: 2021, condition: "USED", full_set_status: null }],
  },
);

type BodyValue = Exclude<Static<typeof CorrectionBody>[CorrectionField], undefined>;

const response = { 200: named(Listing), ...failures(400, 401, 403, 404) };

/** An extension of the contract: what a person knows better than the reader. */
export function addCorrectListing(app: FastifyInstance, context: RouteContext): void {
  const correct = createCorrect(context);
  const put = {
    operationId: "correctListing",
    tags: ["Market"],
    summary: "Correct what was read of a listing",
    description:
      "Replaces the corrections of the listing: the members in the body hold from now on, and others are as they were read. " +
      "`null` says that the listing has no such value, and `is_listing: false` hides it. `is_listing: true` shows one " +
      "that was left out as talk, and keeps any other from being left out. A correction holds for this text " +
      `wherever it is posted, and after replays and re-extractions. ${WAITING}`,
    params: ListingParams,
    body: CorrectionBody,
    response,
  };
  typed(app).put(URL, { schema: put }, (request) => {
    const set = toCorrectionValues(request.body);
    const undo = new Set(CORRECTION_FIELDS.filter((field) => !set.has(field)));
    return correct(request, { set, undo });
  });
  const remove = {
    operationId: "undoListingCorrection",
    tags: ["Market"],
    summary: "Undo the corrections of a listing",
    description: `All members are as they were read. ${WAITING}`,
    params: ListingParams,
    response,
  };
  typed(app).delete(URL, { schema: remove }, (request) =>
    correct(request, { set: new Map(), undo: new Set(CORRECTION_FIELDS) }),
  );
}

function createCorrect(context: RouteContext) {
  const { forAll, feed, catalogue } = context;
  const watch = createReadingWatch({ db: forAll.db, feed });
  return async (
    request: FastifyRequest<{ Params: Static<typeof ListingParams> }>,
    wanted: WantedCorrection,
  ) => {
    const db = context.db(request);
    const { listing_id: listingId } = request.params;
    const reader = { catalogue: await catalogue(), author: authorOf(request, context) };
    const outcome = await correctListing(db, { listingId, ...wanted }, reader);
    if (outcome.kind === "unknown_listing") throw notFound("listing");
    if (outcome.kind === "outdated_listing")
      throw new AppError(
        "listing_not_found",
        "this version does not read such a listing there; run `assay reextract` and look at it again",
      );
    if (!(await watch.wait(listingId)))
      throw new AppError(
        "overloaded",
        "the correction is stored, but no worker has read the message again yet; repeat the request or get the listing later",
      );
    const row = await findListing(db, listingId);
    if (row === undefined)
      throw new AppError("listing_not_found", "the correction is stored, but the listing is gone");
    return toListingBody(row);
  };
}

function createReadingWatch({
  db,
  feed,
}: {
  readonly db: Database;
  readonly feed: ChangeFeed;
}): ReadingWatch {
  const waiting = new Set<AbortController>();
  feed.subscribe("listing", () => {
    for (const alarm of waiting) alarm.abort();
  });
  return {
    wait: async (listingId) => {
      const deadlineMs = performance.now() + WAIT_MAX_MS;
      for (;;) {
        const alarm = new AbortController();
        // Added before the question: a change that commits after it must end the wait.
        waiting.add(alarm);
        try {
          if (!(await isListingQueued(db, listingId))) return true;
          if (performance.now() >= deadlineMs) return false;
          await sleep(PAUSE_MS);
          await sleep(POLL_MS, alarm.signal);
        } finally {
          waiting.delete(alarm);
        }
      }
    },
  };
}

/** The values as they are stored. Throws if a word or a currency is not valid, which the schema cannot say. */
function toCorrectionValues(
  body: Static<typeof CorrectionBody>,
): ReadonlyMap<CorrectionField, CorrectionValue> {
  const values = new Map<CorrectionField, CorrectionValue>();
  for (const field of CORRECTION_FIELDS) {
    const value = body[field];
    if (value !== undefined) values.set(field, toValue(field, value));
  }
  return values;
}

function toValue(field: CorrectionField, value: BodyValue): CorrectionValue {
  if (typeof value === "string" && !isCorrectionText(value.trim()))
    throw new AppError("invalid_payload", `${field}: must be words in one line`);
  if (typeof value === "string") return value.trim();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [...new Set<string>(value)].sort();
  const currency = value.currency.toUpperCase();
  if (!isCurrency(currency))
    throw new AppError(
      "invalid_payload",
      `${field}.currency: "${currency}" is not a currency; send a code such as EUR, HKD or USDT`,
    );
  return { amount_minor: value.amount_minor, currency };
}

/** `null`: the listing has no such value. */
function nullable<Schema extends TSchema>(schema: Schema) {
  return optional(Type.Union([schema, Type.Null()]));
}
