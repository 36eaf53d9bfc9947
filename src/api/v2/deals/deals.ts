import type { FastifyInstance, FastifyReply } from "fastify";
import { type Static, Type } from "typebox";
import { decideWatch } from "../../../alerts/decide-watch.ts";
import { AppError, assert } from "../../../base/errors.ts";
import { isStorableText } from "../../../base/text.ts";
import type { Database } from "../../../db/database.ts";
import {
  type DatedAmount,
  DEAL_STATES,
  DETACHED_REASONS,
  type Deal,
  type Decision,
  NOTE_MAX,
  PASS_REASONS,
  realisedProfitOf,
} from "../../../deals/deal.ts";
import { findDeal, listDeals, summarizeDeals } from "../../../deals/deal-store.ts";
import { deleteDeal } from "../../../deals/decide-deal.ts";
import { AMOUNT_MINOR_MAX, isCurrency } from "../../../listings/corrections/correction.ts";
import { findCurrentContactId } from "../../../messages/contacts/contact-store.ts";
import { findRates } from "../../../rates/fx-store.ts";
import { Price } from "../market/listing-body.ts";
import {
  Count,
  EurMinor,
  failures,
  Id,
  IdParam,
  Ms,
  NextCursor,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { authorOf, IfMatch, sendVersion, sendWarnings, versionExpectationOf } from "../writes.ts";

const MS_MAX = 253_402_300_799_999;

const AmountBody = Type.Object(
  {
    amount_minor: Type.Integer({
      minimum: 0,
      maximum: AMOUNT_MINOR_MAX,
      description: "Hundredths of the currency.",
    }),
    currency: Type.String({
      pattern: "^[A-Za-z]{3,5}$",
      description: "A code such as EUR, HKD or USDT.",
    }),
  },
  { additionalProperties: false },
);

const DatedAmountBody = Type.Object(
  {
    ...AmountBody.properties,
    at_ms: Type.Integer({
      minimum: 0,
      maximum: MS_MAX,
      description: "The day whose rate counts. Milliseconds since 1970, UTC.",
    }),
  },
  { additionalProperties: false },
);

const State = Type.Enum([...DEAL_STATES]);

const DecisionBody = Type.Object(
  {
    state: State,
    reason: optional(Type.Enum([...PASS_REASONS], { description: "Of `passed` only." })),
    note: optional(Type.String({ maxLength: NOTE_MAX, description: "Stored as it is." })),
    offer: optional(AmountBody),
    assignee: optional(
      Type.String({
        format: "uuid",
        description: "Who works on it: the id of a valid token, or the one that the deal has.",
      }),
    ),
    paid: optional(DatedAmountBody),
    sold: optional(DatedAmountBody),
    cost_eur_minor: optional(
      Type.Integer({
        minimum: 0,
        maximum: AMOUNT_MINOR_MAX,
        description: "All other costs, in minor units of EUR.",
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ state: "offered", offer: { amount_minor: 1_150_000, currency: "EUR" } }],
  },
);

const Dated = Type.Object({ ...Price.properties, at_ms: Ms });

const DealtWatch = Type.Object(
  {
    side: optional(Type.String()),
    brand: optional(Type.String()),
    model: optional(Type.String()),
    reference: optional(Type.String()),
    reference_normalized: optional(Type.String()),
    year: optional(Type.Integer()),
    card_month: optional(Type.Integer()),
    condition: optional(Type.String()),
    full_set_status: optional(Type.Array(Type.String())),
    dial_type: optional(Type.String()),
    variant: optional(Type.String()),
    price: optional(Price),
    price_eur_minor: optional(EurMinor),
    contact_id: optional(Id),
    phone_number: optional(Type.String()),
    display_name: optional(Type.String()),
    group_names: optional(Type.Array(Type.String())),
  },
  {
    $id: "DealtWatch",
    description: "The watch as its listing is, or last was. Empty after an erasure.",
  },
);

const DealBody = Type.Object(
  {
    listing_id: Id,
    state: State,
    reason: optional(Type.String()),
    note: optional(Type.String()),
    offer: optional(Price),
    assignee: optional(Id),
    assignee_name: optional(Type.String()),
    paid: optional(Dated),
    sold: optional(Dated),
    cost_eur_minor: optional(EurMinor),
    realised_profit_eur_minor: optional(
      Type.Integer({
        description: "sold - paid - cost, each at the rate of its day. Absent without a rate.",
      }),
    ),
    predicted_profit_eur_minor: optional(
      Type.Integer({ description: "The profit of the headline when the watch was bought." }),
    ),
    price: optional(
      Type.Object(
        {
          configuration_id: Id,
          average_eur_minor: EurMinor,
          landed_eur_minor: EurMinor,
          profit_eur_minor: EurMinor,
        },
        { description: "The headline at the decision." },
      ),
    ),
    asked: optional(Price),
    detached_reason: optional(
      Type.Enum([...DETACHED_REASONS], {
        description:
          "Why the deal stands on no listing: another reference is read at its place, the listing was removed, or its dealer erased.",
      }),
    ),
    watch: named(DealtWatch),
    posted_at_ms: Ms,
    created_by: optional(Type.String()),
    created_at_ms: Ms,
    updated_by: optional(Type.String()),
    updated_at_ms: Ms,
  },
  { $id: "Deal", description: "What a person decided about a watch." },
);

const DealSummaryBody = Type.Object(
  {
    by_state: Type.Object(Object.fromEntries(DEAL_STATES.map((state) => [state, Count]))),
    bought_count: Count,
    paid_eur_minor: EurMinor,
    predicted_profit_eur_minor: EurMinor,
    sold_count: Count,
    realised_profit_eur_minor: EurMinor,
    sold_predicted_profit_eur_minor: Type.Integer({
      description:
        "What the prices promised for the sold watches, to compare with what was realised.",
    }),
    without_rate_count: Type.Integer({
      minimum: 0,
      description:
        "Bought watches with an amount that has no rate on its day. That amount and their realised profit are in no sum.",
    }),
    without_prediction_count: Type.Integer({
      minimum: 0,
      description: "Bought watches that had no price when they were bought.",
    }),
  },
  { $id: "DealSummary" },
);

/** Which deals are listed or summed up. */
const Which = Type.Object({
  assignee: optional(Type.String({ format: "uuid", description: "The id of a token." })),
  contact_id: optional(Type.String({ format: "uuid", description: "The dealer." })),
  from_ms: optional(Type.Integer({ minimum: 0, maximum: MS_MAX })),
  to_ms: optional(Type.Integer({ minimum: 0, maximum: MS_MAX, description: "Exclusive." })),
});

const URL = "/v2/deals/:listing_id";
const params = Type.Object({
  listing_id: IdParam("The listing's id, also one from before contacts merged."),
});

/** Extensions of the contract: deals. */
export function addReadDeals(app: FastifyInstance, { read, heavy }: RouteContext): void {
  for (const schema of [DealtWatch, DealBody, DealSummaryBody]) app.addSchema(schema);
  const list = {
    operationId: "listDeals",
    tags: ["Deals"],
    summary: "List deals",
    description:
      "The latest decision first. A period is one of the day of `paid`, or of the last decision of a deal that has none, as in the summary.",
    querystring: Type.Object({
      state: optional(State),
      ...Which.properties,
      ...PAGE_QUERY,
    }),
    response: {
      200: Type.Object({ items: Type.Array(named(DealBody)), next_cursor: NextCursor }),
      ...failures(400, 401, 403),
    },
  };
  typed(app).get("/v2/deals", { schema: list, config: OWN_DEADLINE }, (request) =>
    read(request, async (db) => {
      const { query } = request;
      const { state, cursor, limit = 50 } = query;
      const asked = await toDealQuery(db, query);
      const page = await listDeals(db, { state, ...asked }, { limit, cursor });
      return { ...page, items: await toDealBodies(db, page.items) };
    }),
  );
  const summary = {
    operationId: "summarizeDeals",
    tags: ["Deals"],
    summary: "Sum up what deals made",
    description:
      "By the day of `paid`; a deal that has none counts at its last decision. Amounts are converted at the rate of their day.",
    querystring: Which,
    response: { 200: named(DealSummaryBody), ...failures(400, 401, 403) },
  };
  typed(app).get("/v2/deals/summary", { schema: summary, config: OWN_DEADLINE }, (request) =>
    heavy.read(request, `deals ${JSON.stringify(request.query)}`, async (db) =>
      summarizeDeals(db, await toDealQuery(db, request.query)),
    ),
  );
  const get = {
    operationId: "getDeal",
    tags: ["Deals"],
    summary: "Get the deal of a listing",
    params,
    response: { 200: named(DealBody), ...failures(400, 401, 403, 404) },
  };
  typed(app).get(URL, { schema: get, config: OWN_DEADLINE }, (request, reply) =>
    read(request, async (db) => {
      const deal = await findDeal(db, request.params.listing_id);
      if (deal === undefined) throw notFound("deal");
      return sendDeal(reply, db, deal);
    }),
  );
}

async function toDealQuery(
  db: Database,
  { assignee, contact_id, from_ms, to_ms }: Static<typeof Which>,
) {
  if (from_ms !== undefined && to_ms !== undefined && from_ms > to_ms) {
    throw new AppError("invalid_payload", "to_ms: must not be before from_ms");
  }
  // The id may be one from before contacts merged.
  const current = contact_id && (await findCurrentContactId(db, contact_id));
  return { assignee, contactId: current ?? contact_id, fromMs: from_ms, toMs: to_ms };
}

/** Extensions of the contract: what a person decides. */
export function addWriteDeals(app: FastifyInstance, context: RouteContext): void {
  const { db } = context;
  const put = {
    operationId: "decideDeal",
    tags: ["Deals"],
    summary: "Decide about a watch",
    description:
      "Replaces the decision: members that are left out are removed. A deal that exists needs `If-Match`; without it, or if " +
      "someone else was first, the answer is 412 and says who and when. Marks the matches of the watch as seen. `passed` takes the " +
      "watch and its reposts off the list of matches and silences its notifications; with the reasons `too_dear` and `other` it is back " +
      "when the ask falls by 3 % in its own currency. An amount of less than half or more than double the ask or the average is kept, " +
      "and named in the header `X-Assay-Warnings`; so are costs of more than half of it.",
    params,
    headers: IfMatch,
    body: DecisionBody,
    response: {
      200: named(DealBody),
      201: named(DealBody),
      ...failures(400, 401, 403, 404, 412),
    },
  };
  typed(app).put(URL, { schema: put }, async (request, reply) => {
    const author = authorOf(request, context);
    const { deal, before, warnings } = await decideWatch(db(request), {
      listingId: request.params.listing_id.toLowerCase(),
      decision: toDecision(request.body),
      author,
      ...versionExpectationOf(request),
    });
    sendWarnings(reply, warnings);
    reply.code(before === undefined ? 201 : 200);
    return sendDeal(reply, db(request), deal);
  });
  const remove = {
    operationId: "deleteDeal",
    tags: ["Deals"],
    summary: "Delete a deal",
    description: "As if nothing was decided. With `If-Match` only if nobody has changed it.",
    params,
    headers: IfMatch,
    response: { 204: Type.Null(), ...failures(400, 401, 403, 404, 412) },
  };
  typed(app).delete(URL, { schema: remove }, async (request, reply) => {
    const listingId = request.params.listing_id.toLowerCase();
    const author = authorOf(request, context);
    await db(request).transaction((tx) =>
      deleteDeal(tx, { listingId, author, ...versionExpectationOf(request) }),
    );
    return reply.code(204).send(null);
  });
}

function toDecision({
  note,
  offer,
  paid,
  sold,
  assignee,
  ...body
}: Static<typeof DecisionBody>): Decision {
  if (note !== undefined && !isStorableText(note)) {
    throw new AppError("invalid_payload", "note: has a character that cannot be stored");
  }
  return {
    ...body,
    ...(note === undefined || note === "" ? {} : { note }),
    ...(offer === undefined ? {} : { offer: withCurrency("offer", offer) }),
    ...(paid === undefined ? {} : { paid: withCurrency("paid", paid) }),
    ...(sold === undefined ? {} : { sold: withCurrency("sold", sold) }),
    ...(assignee === undefined ? {} : { assignee: assignee.toLowerCase() }),
  };
}

function withCurrency<Amount extends { readonly currency: string }>(
  member: string,
  amount: Amount,
): Amount {
  const currency = amount.currency.toUpperCase();
  if (!isCurrency(currency)) {
    throw new AppError(
      "invalid_payload",
      `${member}.currency: ${currency} is not a known currency`,
    );
  }
  return { ...amount, currency };
}

async function sendDeal(reply: FastifyReply, db: Database, deal: Deal) {
  const [body] = await toDealBodies(db, [deal]);
  assert(body !== undefined, "a deal has a body");
  return sendVersion(reply, body, deal.version);
}

async function toDealBodies(
  db: Database,
  deals: readonly Deal[],
): Promise<Static<typeof DealBody>[]> {
  const amounts = deals.flatMap(({ paid, sold }) => [paid, sold]);
  const needed = amounts
    .filter((amount): amount is DatedAmount => amount !== undefined && amount.currency !== "EUR")
    .map(({ currency, at_ms }) => ({ currency, atMs: at_ms }));
  const rateOf = needed.length === 0 ? () => undefined : await findRates(db, needed);
  return deals.map(({ version: _, updated_by_token_id: __, ...deal }) => {
    const profit = realisedProfitOf(deal, rateOf);
    return {
      ...deal,
      ...(typeof profit === "number" ? { realised_profit_eur_minor: profit } : {}),
      watch: deal.watch as Static<typeof DealtWatch>,
    };
  });
}
