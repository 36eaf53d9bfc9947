import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Database } from "../../../db/database.ts";
import { dropNulls } from "../../../db/row.ts";
import { countListingsOf } from "../../../listings/figures/count-store.ts";
import { countryPrefixOf } from "../../../listings/listing.ts";
import {
  findContactActivity,
  findContactOverview,
  findCurrentContactId,
} from "../../../messages/contacts/contact-store.ts";
import {
  Count,
  failures,
  Id,
  IdParam,
  Ms,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

/** A dealer with a hundred posts a day for half a year. */
const COUNTED_MAX = 20_000;

const ContactGroup = Type.Object(
  { id: Id, name: optional(Type.String()), message_count: Count },
  { $id: "ContactGroup" },
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
    is_exact: Type.Boolean({
      description: `False if only the latest ${COUNTED_MAX} messages and listings were counted.`,
    }),
  },
  { $id: "Contact", description: "A person or a business that posts." },
);

/** An extension of the contract. */
export function addGetContact(app: FastifyInstance, { read }: RouteContext): void {
  app.addSchema(ContactGroup);
  app.addSchema(Contact);
  const schema = {
    operationId: "getContact",
    tags: ["Contacts"],
    summary: "Get one contact",
    description:
      "Names, numbers, what it posts and where. An id from before a merge leads to the merged contact.",
    params: Type.Object({ contact_id: IdParam("The contact's id.") }),
    response: { 200: named(Contact), ...failures(400, 401, 404) },
  };
  typed(app).get("/v2/contacts/:contact_id", { schema, config: OWN_DEADLINE }, async (request) => {
    const contact = await read((db) => describeContact(db, request.params.contact_id));
    if (contact === undefined) throw notFound("contact");
    return contact;
  });
}

async function describeContact(db: Database, requestedId: string) {
  const id = await findCurrentContactId(db, requestedId);
  const contact = id === undefined ? undefined : await findContactOverview(db, id);
  if (id === undefined || contact === undefined) return undefined;
  const activity = await findContactActivity(db, id, { messagesMax: COUNTED_MAX });
  const listings = await countListingsOf(db, id, { listingsMax: COUNTED_MAX });
  return dropNulls({
    ...contact,
    names: [...contact.names],
    phone_numbers: [...contact.phone_numbers],
    country_prefix: contact.phone_number === null ? null : countryPrefixOf(contact.phone_number),
    ...activity,
    groups: activity.groups.map((group) => dropNulls(group)),
    for_sale_count: listings.for_sale_count,
    want_to_buy_count: listings.want_to_buy_count,
    is_exact: activity.message_count < COUNTED_MAX && listings.counted_count < COUNTED_MAX,
  });
}
