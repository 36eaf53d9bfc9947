import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { canFetchMedia } from "../../../base/config.ts";
import { dropNulls } from "../../../db/row.ts";
import {
  countPhotoDealers,
  findListingMessage,
  findMessageMedia,
  listSamePhotos,
  type SamePhoto,
  STOCK_PHOTO_DEALERS,
} from "../../../media/media-store.ts";
import { queuePictures } from "../../../media/media-write-store.ts";
import { placeNearby } from "../../../media/place-store.ts";
import { ListingParams, Price } from "../market/listing-body.ts";
import { ListedMedia, toListedMedia } from "../media/media-body.ts";
import {
  EurMinor,
  failures,
  Id,
  Ms,
  named,
  notFound,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

/** An extension of the contract: all pictures of a listing. Whoever opens it wants to see them, so those that are missing are fetched. */
export function addListListingMedia(app: FastifyInstance, { db, clock, config }: RouteContext) {
  app.addSchema(ListedMedia);
  const isOn = canFetchMedia(config);
  const schema = {
    operationId: "listListingMedia",
    tags: ["Media"],
    summary: "List the pictures of a listing",
    description:
      "The pictures of its message, those of its album, and those that its dealer posted beside it; at most ten. Pictures that were " +
      "not fetched yet are fetched now.",
    params: ListingParams,
    response: {
      200: Type.Object({
        items: Type.Array(named(ListedMedia)),
        listing_count: Type.Integer({
          minimum: 0,
          description: "Of the message. With several, a picture may show another one of them.",
        }),
      }),
      ...failures(400, 401, 404),
    },
  };
  typed(app).get("/v2/market/listings/:listing_id/media", { schema }, async (request) => {
    const { params } = request;
    const message = await findListingMessage(db(request), params.listing_id);
    if (message === undefined) throw notFound("listing");
    if (isOn) await placeNearby(db(request), message.message_id, clock.nowMs());
    const media = await findMessageMedia(db(request), [message.message_id], { isWhole: true });
    const rows = media.get(message.message_id) ?? [];
    const missing = rows
      .filter(({ state, is_thumbnail_only }) => state !== "stored" || is_thumbnail_only)
      .map(({ id }) => id);
    const queued = isOn ? await queuePictures(db(request), missing, clock.nowMs()) : 0;
    const shown =
      queued === 0
        ? media
        : await findMessageMedia(db(request), [message.message_id], { isWhole: true });
    return {
      items: (shown.get(message.message_id) ?? []).map((row) => toListedMedia(row, { isOn })),
      listing_count: message.listing_count,
    };
  });
}

const SamePhotoBody = Type.Object(
  {
    listing_id: Id,
    media_id: Id,
    contact: optional(
      Type.Object({ id: Id, name: optional(Type.String()) }, { description: "Who posted it." }),
    ),
    is_same_dealer: Type.Boolean(),
    posted_at_ms: Ms,
    price: optional(Price),
    price_eur_minor: optional(EurMinor),
    brand: optional(Type.String()),
    model: optional(Type.String()),
    reference: optional(Type.String()),
  },
  { $id: "SamePhoto", description: "A listing with a photo that looks the same." },
);

/** An extension of the contract. It says where a photo was posted, and nothing about why. */
export function addListSamePhotos(app: FastifyInstance, { read }: RouteContext): void {
  app.addSchema(SamePhotoBody);
  const schema = {
    operationId: "listSamePhotos",
    tags: ["Media"],
    summary: "List where the same photo was posted",
    description:
      "Other listings with a photo that looks like one of this listing: who posted it, when, and at which ask; the latest first, at most " +
      "200. Only full pictures of messages with one watch count. A photo that more than five dealers posted is a stock photo.",
    params: ListingParams,
    response: {
      200: Type.Object({
        items: Type.Array(named(SamePhotoBody)),
        dealer_count: Type.Integer({
          minimum: 0,
          description:
            "With the one of this listing. Of several photos, of the one that most dealers posted.",
        }),
        is_stock_photo: Type.Boolean(),
      }),
      ...failures(400, 401, 404),
    },
  };
  const url = "/v2/market/listings/:listing_id/same-photos";
  typed(app).get(url, { schema }, async (request) => {
    const found = await read(request, async (db) => {
      const message = await findListingMessage(db, request.params.listing_id);
      if (message === undefined) return undefined;
      const { message_id: id, contact_id: contactId } = message;
      const rows = await listSamePhotos(db, id);
      // It is one dealer's, also if no picture is stored.
      const dealerCount = Math.max(await countPhotoDealers(db, id), contactId === null ? 0 : 1);
      return { contactId, rows, dealerCount };
    });
    if (found === undefined) throw notFound("listing");
    const { contactId, rows, dealerCount } = found;
    return {
      items: rows.map((row) => toBody(row, contactId)),
      dealer_count: dealerCount,
      is_stock_photo: dealerCount > STOCK_PHOTO_DEALERS,
    };
  });
}

function toBody(row: SamePhoto, contactId: string | null) {
  const { price_amount_minor: amount_minor, price_currency: currency } = row;
  return dropNulls({
    listing_id: row.listing_id,
    media_id: row.media_id,
    contact:
      row.contact_id === null ? null : dropNulls({ id: row.contact_id, name: row.contact_name }),
    is_same_dealer: row.contact_id !== null && row.contact_id === contactId,
    posted_at_ms: row.sent_at_ms,
    price: amount_minor === null || currency === null ? null : { amount_minor, currency },
    price_eur_minor: row.price_eur_minor,
    brand: row.brand,
    model: row.model,
    reference: row.reference,
  });
}
