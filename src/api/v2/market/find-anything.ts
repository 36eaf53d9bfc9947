import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type FoundThings, findAnything } from "../../../alerts/find-anything.ts";
import { createSingleFlight } from "../../../base/single-flight.ts";
import { dropNulls } from "../../../db/row.ts";
import { QUERY_LENGTH_MAX } from "../../../filters/typed/typed-line.ts";
import { countryPrefixOf } from "../../../listings/listing.ts";
import {
  Count,
  EurMinor,
  failures,
  Id,
  Ms,
  named,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { Listing, toListingBody } from "./listing-body.ts";

const FoundReference = Type.Object(
  {
    brand: Type.String(),
    reference: Type.String({ description: "As it is mostly written." }),
    reference_normalized: Type.String(),
    model: optional(Type.String()),
    listing_count: Count,
    median_price_eur_minor: optional(EurMinor),
    is_exact: Type.Boolean({ description: "False if only the newest 1,000 listings count." }),
  },
  { $id: "FoundReference" },
);

const FoundContact = Type.Object(
  {
    id: Id,
    display_name: optional(Type.String()),
    phone_number: optional(Type.String({ description: "Digits without `+`." })),
    country_prefix: optional(Type.String()),
    last_seen_at_ms: Ms,
  },
  { $id: "FoundContact" },
);

const FoundGroup = Type.Object({ id: Id, name: Type.String() }, { $id: "FoundGroup" });

const FoundAlert = Type.Object(
  {
    id: Id,
    name: Type.String(),
    enabled: Type.Boolean(),
    strategy: Type.String(),
    is_system: Type.Boolean(),
  },
  { $id: "FoundAlert" },
);

const Found = Type.Object(
  {
    references: Type.Array(named(FoundReference), {
      description: "The reference itself first, then by number of listings.",
    }),
    contacts: Type.Array(named(FoundContact), { description: "The latest seen first." }),
    groups: Type.Array(named(FoundGroup), { description: "By name." }),
    alerts: Type.Array(named(FoundAlert), { description: "Those of people first." }),
    listings: Type.Array(named(Listing), { description: "The newest first." }),
  },
  { $id: "FoundThings" },
);

const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 20;

const Query = Type.Object({
  q: Type.String({
    maxLength: QUERY_LENGTH_MAX,
    pattern: "^[^\\u0000]*$",
    description: "The start of a reference, a nickname, words of a name, or digits of a number.",
  }),
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMIT_MAX,
      default: LIMIT_DEFAULT,
      description: "Of each kind.",
    }),
  ),
});

/** An extension of the contract: one box that finds everything. */
export function addFindAnything(app: FastifyInstance, { read, catalogue }: RouteContext): void {
  for (const schema of [FoundReference, FoundContact, FoundGroup, FoundAlert, Found])
    app.addSchema(schema);
  const schema = {
    operationId: "findAnything",
    tags: ["Market"],
    summary: "Find anything",
    description:
      "References by their start, a nickname, or words of brand and model; contacts by words of a name or at least three digits " +
      "of a number; groups and alerts by name; listings that have all words. Every hit exists.",
    querystring: Query,
    response: { 200: named(Found), ...failures(400, 401) },
  };
  const shared = createSingleFlight();
  typed(app).get("/v2/search", { schema, config: OWN_DEADLINE }, async (request) => {
    const { query } = request;
    const { q, limit = LIMIT_DEFAULT } = query;
    const known = await catalogue();
    const find = () => read(request, (db) => findAnything(db, q, { limit, catalogue: known }));
    const found = await shared.share(JSON.stringify([q, limit]), find, request.caller);
    return toBody(found);
  });
}

function toBody({ references, contacts, groups, alerts, listings }: FoundThings) {
  return {
    references: references.map(({ isExact, ...row }) => ({ ...dropNulls(row), is_exact: isExact })),
    contacts: contacts.map((contact) =>
      dropNulls({
        ...contact,
        country_prefix:
          contact.phone_number === null ? null : countryPrefixOf(contact.phone_number),
      }),
    ),
    groups: groups.map(({ id, name }) => ({ id, name })),
    alerts: [...alerts],
    listings: listings.map((row) => toListingBody(row)),
  };
}
