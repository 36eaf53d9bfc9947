import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Database } from "../../../db/database.ts";
import { findDeal } from "../../../deals/deal-store.ts";
import { type AmountTerms, compareAmount, termsOf } from "../../../deals/far-amounts.ts";
import {
  AMOUNT_KINDS,
  AMOUNT_LENGTH_MAX,
  AMOUNT_PROBLEMS,
  readTypedAmount,
} from "../../../filters/typed/typed-amount.ts";
import { isCurrency } from "../../../listings/corrections/correction.ts";
import { findListings } from "../../../listings/listing-store.ts";
import { findHeadlines } from "../../../pricing/headline-store.ts";
import { findRates } from "../../../rates/fx-store.ts";
import { failures, named, OWN_DEADLINE, optional, typed } from "../schemas.ts";
import { Price } from "./listing-body.ts";
import { type PricedContext, readsDeals } from "./price-body.ts";

const Distance = Type.Object({
  bps: Type.Integer({ description: "Hundredths of a per cent; negative below it." }),
  is_far: Type.Boolean({
    description: "Less than half of it or more than double. Of kind `other`: more than half of it.",
  }),
});

const ParsedAmount = Type.Object(
  {
    amount: optional(Price),
    problem: optional(
      Type.Enum([...AMOUNT_PROBLEMS], {
        description:
          "Why there is no amount: `no_amount`; `malformed_number`, such as 1,045,00; `several_amounts`; `unknown_words` beside it; " +
          "`unit_contradicts_size`: no watch costs so much or so little; `currency_missing`.",
      }),
    ),
    ask: optional(Distance),
    market: optional(Distance),
  },
  { $id: "ParsedAmount" },
);

const Body = Type.Object(
  {
    text: Type.String({ maxLength: AMOUNT_LENGTH_MAX, description: "As a person types it." }),
    currency: optional(
      Type.String({
        pattern: "^[A-Za-z]{3,5}$",
        description:
          "Of an amount that names none. Without it, or if it is not known, the text must name one.",
      }),
    ),
    kind: optional(
      Type.Enum([...AMOUNT_KINDS], {
        description:
          "`watch` (default): the price of a watch, where dealers leave units out, so 13,5 is 13,500. `other`: costs or a profit, where 13,5 is 13.50.",
      }),
    ),
    listing_id: optional(
      Type.String({
        format: "uuid",
        description: "The watch whose ask and average it is compared with.",
      }),
    ),
  },
  { additionalProperties: false, examples: [{ text: "138k", currency: "HKD" }] },
);

/** An extension of the contract: an amount of money as a person types it. */
export function addParseAmount(
  app: FastifyInstance,
  { read, catalogue, clock }: PricedContext,
): void {
  app.addSchema(ParsedAmount);
  const schema = {
    operationId: "parseAmount",
    tags: ["Market"],
    summary: "Read a typed amount",
    description:
      "Reads `138k`, `138.000`, `13.8\u4E07` or `HK$138,000` as the messages of dealers are read, and says how far the amount is from the " +
      "ask of a watch and from the average of its headline. A read-only token may call this.",
    body: Body,
    response: { 200: named(ParsedAmount), ...failures(400, 401) },
  };
  const config = { isRead: true, ...OWN_DEADLINE };
  typed(app).post("/v2/market/parse-amount", { schema, config }, async (request) => {
    const { text, currency: given, kind = "watch", listing_id: id } = request.body;
    const code = given?.toUpperCase();
    const currency = code !== undefined && isCurrency(code) ? code : undefined;
    const amount = readTypedAmount(text, { catalogue: await catalogue(), kind, currency });
    if (typeof amount === "string") return { problem: amount };
    if (id === undefined) return { amount };
    const nowMs = clock.nowMs();
    const compared = await read(request, async (db) => {
      const terms = await findTerms(db, id.toLowerCase(), readsDeals(request));
      const rateOf = await findRates(db, [{ currency: amount.currency, atMs: nowMs }]);
      return compareAmount(amount, terms, { part: kind, rateOf, nowMs });
    });
    return { amount, ...compared };
  });
}

/** Of the listing as it is now; of one that is no longer stored, as its deal has it. */
async function findTerms(db: Database, id: string, withDeals: boolean): Promise<AmountTerms> {
  const [listing] = await findListings(db, [id]);
  if (listing === undefined) {
    const deal = withDeals ? await findDeal(db, id) : undefined;
    return deal === undefined ? {} : termsOf(deal);
  }
  const { price_amount_minor: minor, price_currency: currency, price_eur_minor } = listing;
  const asked = minor === null || currency === null ? undefined : { amount_minor: minor, currency };
  const headline = (await findHeadlines(db, [id])).get(id);
  return {
    asked,
    askedEurMinor: price_eur_minor ?? undefined,
    averageEurMinor: headline?.baseline_average_eur_minor,
  };
}
