import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  createKeptDealers,
  DEALER_SORTS,
  type DealerFigures,
  findDealerFigures,
  listDealers,
} from "../../../alerts/dealer-store.ts";
import { AppError, assert } from "../../../base/errors.ts";
import { isStorableText } from "../../../base/text.ts";
import type { Database } from "../../../db/database.ts";
import { limitLockWait } from "../../../db/locks.ts";
import { dropNulls } from "../../../db/row.ts";
import { NOTE_MAX } from "../../../deals/deal.ts";
import { countListingsOf } from "../../../listings/figures/count-store.ts";
import { countryPrefixOf } from "../../../listings/listing.ts";
import { changeContactNote, findLastNote } from "../../../messages/contacts/contact-note-store.ts";
import {
  findContactActivity,
  findContactOverview,
  findCurrentContactId,
} from "../../../messages/contacts/contact-store.ts";
import { readsDeals } from "../market/price-body.ts";
import {
  Count,
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
import { authorOf, IfMatch, sendVersion, versionExpectationOf } from "../writes.ts";

/** A dealer with a hundred posts a day for half a year. */
const COUNTED_MAX = 20_000;

const ContactGroup = Type.Object(
  { id: Id, name: optional(Type.String()), message_count: Count },
  { $id: "ContactGroup" },
);

const FIGURES = {
  on_offer_count: Type.Integer({
    minimum: 0,
    description:
      "Watches for sale that were seen in the last 30 days. Several posts of one watch count once.",
  }),
  buy_count_90d: Type.Integer({
    minimum: 0,
    description: "Watches that matched an alert on buys in the last 90 days.",
  }),
  repost_count_90d: Type.Integer({
    minimum: 0,
    description: "Posts of an ask that was posted before, of what was seen in the last 90 days.",
  }),
  price_drop_count_90d: Count,
  deal_count: optional(Count),
  note: optional(Type.String()),
  is_blocked: Type.Boolean({
    description: "Its watches are left out of the list of matches, and notify nobody.",
  }),
};

const Dealer = Type.Object(
  {
    id: Id,
    display_name: optional(Type.String()),
    phone_number: optional(Type.String({ description: "Digits without `+`." })),
    country_prefix: optional(Type.String()),
    first_seen_at_ms: optional(Ms),
    last_seen_at_ms: optional(Ms),
    ...FIGURES,
  },
  { $id: "Dealer", description: "A contact that offers watches." },
);

const ContactChange = Type.Object(
  {
    note: optional(
      Type.Union([Type.String({ maxLength: NOTE_MAX }), Type.Null()], {
        description: "Stored as it is. `null` removes it.",
      }),
    ),
    is_blocked: optional(Type.Boolean()),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ note: "pays on time", is_blocked: false }],
  },
);

const Contact = Type.Object(
  {
    id: Id,
    display_name: optional(Type.String()),
    names: Type.Array(Type.String(), { description: "All names, the latest first." }),
    phone_number: optional(Type.String({ description: "Digits without `+`." })),
    country_prefix: optional(Type.String()),
    phone_numbers: Type.Array(Type.String(), { description: "All numbers, the first seen first." }),
    is_own: Type.Boolean({ description: "One of your own sessions." }),
    first_seen_at_ms: optional(Ms),
    last_seen_at_ms: optional(Ms),
    message_count: Count,
    for_sale_count: Type.Integer({ minimum: 0, description: "Visible listings that sell." }),
    want_to_buy_count: Type.Integer({ minimum: 0, description: "Visible listings that look." }),
    groups: Type.Array(named(ContactGroup), {
      description: "Where it posted, the most messages first, at most 200.",
    }),
    ...FIGURES,
    is_exact: Type.Boolean({
      description: `False if only the latest ${COUNTED_MAX} messages and listings were counted.`,
    }),
  },
  { $id: "Contact", description: "A person or a business that posts." },
);

const params = Type.Object({ contact_id: IdParam("The contact's id.") });

/** Extensions of the contract. */
export function addReadContacts(app: FastifyInstance, context: RouteContext): void {
  const { read, heavy, clock } = context;
  for (const schema of [ContactGroup, Contact, Dealer]) app.addSchema(schema);
  const kept = createKeptDealers(clock);
  const list = {
    operationId: "listContacts",
    tags: ["Contacts"],
    summary: "List dealers",
    description:
      "Contacts that offer or look for watches, and blocked ones: the latest seen, the most watches on offer or the most buys first. " +
      "Figures of dealers with many posts, and the order of more than a thousand, may be 30 seconds old. " +
      "`note` and `deal_count` need the role `desk`.",
    querystring: Type.Object({
      q: optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            "A part of a name, or at least three digits of a number. One or two letters are the start of a word of a name. Of more than " +
            "2,000 contacts, the latest seen are searched.",
        }),
      ),
      is_blocked: optional(Type.Boolean()),
      sort: optional(Type.Enum([...DEALER_SORTS], { default: "last_seen" })),
      ...PAGE_QUERY,
    }),
    response: {
      200: Type.Object({ items: Type.Array(named(Dealer)), next_cursor: NextCursor }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/contacts", { schema: list, config: OWN_DEADLINE }, async (request) => {
    const { query } = request;
    const { q, is_blocked: isBlocked, sort = "last_seen", limit = 50, cursor } = query;
    if (q !== undefined && !isStorableText(q)) {
      throw new AppError("invalid_payload", "q: has a character that no name has");
    }
    const nowMs = clock.nowMs();
    const page = await heavy.read(request, `contacts ${JSON.stringify(query)}`, (db) =>
      listDealers(db, { q, isBlocked, sort, nowMs }, { limit, cursor, kept }),
    );
    const shown = page.items.map((item) => withoutDeals(item, request));
    return { ...page, items: shown.map(withCountry) };
  });
  const get = {
    operationId: "getContact",
    tags: ["Contacts"],
    summary: "Get one contact",
    description:
      "Names, numbers, what it posts and where. An id from before a merge leads to the merged contact.",
    params,
    response: { 200: named(Contact), ...failures(400, 401, 404) },
  };
  const route = { schema: get, config: OWN_DEADLINE };
  typed(app).get("/v2/contacts/:contact_id", route, async (request, reply) => {
    const { contact_id } = request.params;
    const contact = await read(request, (db) => describeContact(db, contact_id, clock.nowMs()));
    if (contact === undefined) throw notFound("contact");
    return sendVersion(reply, withoutDeals(contact.body, request), contact.version);
  });
}

/** The item as the caller may read it. */
function withoutDeals<Item extends Partial<DealerFigures>>(item: Item, request: FastifyRequest) {
  if (readsDeals(request)) return item;
  const { note: _, deal_count: __, ...rest } = item;
  return rest as Item;
}

/** An extension of the contract: what a desk says about a dealer. */
export function addChangeContact(app: FastifyInstance, context: RouteContext): void {
  const { db } = context;
  const schema = {
    operationId: "changeContact",
    tags: ["Contacts"],
    summary: "Note something about a contact, or block it",
    description:
      "Members that are left out stay. It is kept by number and LID, so it survives merges and replays. The watches of a blocked " +
      "dealer still count in prices. With `If-Match` only if nobody changed the note or the block since; otherwise 412 says who did.",
    params,
    headers: IfMatch,
    body: ContactChange,
    response: { 200: named(Contact), ...failures(400, 401, 403, 404, 412) },
  };
  typed(app).patch("/v2/contacts/:contact_id", { schema }, async (request, reply) => {
    const { body } = request;
    const note = body.note === null ? "" : body.note;
    if (note !== undefined && !isStorableText(note)) {
      throw new AppError("invalid_payload", "note: has a character that cannot be stored");
    }
    const author = authorOf(request, context);
    const contact = await db(request).transaction(async (tx) => {
      await limitLockWait(tx);
      const { contact_id } = request.params;
      const change = { note, isBlocked: body.is_blocked, author };
      await changeContactNote(tx, contact_id, { ...change, ...versionExpectationOf(request) });
      return describeContact(tx, contact_id, author.nowMs);
    });
    if (contact === undefined) throw notFound("contact");
    return sendVersion(reply, contact.body, contact.version);
  });
}

function withCountry<Item extends { readonly phone_number?: string }>(item: Item) {
  const { phone_number } = item;
  return phone_number === undefined
    ? item
    : { ...item, country_prefix: countryPrefixOf(phone_number) };
}

async function describeContact(db: Database, requestedId: string, nowMs: number) {
  const id = await findCurrentContactId(db, requestedId);
  const contact = id === undefined ? undefined : await findContactOverview(db, id);
  if (id === undefined || contact === undefined) return undefined;
  const activity = await findContactActivity(db, id, { messagesMax: COUNTED_MAX });
  const listings = await countListingsOf(db, id, { listingsMax: COUNTED_MAX });
  const figures = (await findDealerFigures(db, [id], { nowMs })).get(id);
  assert(figures !== undefined, "a contact has figures");
  const { phone_number } = contact;
  const { version } = await findLastNote(db, id);
  const body = dropNulls({
    ...contact,
    ...figures,
    names: [...contact.names],
    phone_numbers: [...contact.phone_numbers],
    country_prefix: phone_number === null ? null : countryPrefixOf(phone_number),
    ...activity,
    groups: activity.groups.map((group) => dropNulls(group)),
    for_sale_count: listings.for_sale_count,
    want_to_buy_count: listings.want_to_buy_count,
    is_exact: activity.message_count < COUNTED_MAX && listings.counted_count < COUNTED_MAX,
  });
  return { body, version };
}
