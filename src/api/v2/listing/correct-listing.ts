import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { correctListing } from "../../../listings/corrections/correct-listing.ts";
import { CORRECTION_FIELDS } from "../../../listings/corrections/correction.ts";
import type { WantedCorrection } from "../../../listings/corrections/draft-corrections.ts";
import { findListing } from "../../../listings/listing-store.ts";
import { Listing, toListingBody } from "../market/listing-body.ts";
import { failures, IdParam, named, type RouteContext, typed } from "../schemas.ts";
import { CorrectionBody, toCorrectionValues } from "./correction-body.ts";
import { createReadingWatch } from "./reading-watch.ts";

const URL = "/v2/market/listings/:listing_id/correction";
const params = Type.Object({ listing_id: IdParam("The listing's id.") });
const response = { 200: named(Listing), ...failures(400, 401, 403, 404) };
const WAITING =
  "The response is the listing after its message was read again. If no worker does that within three seconds, it is 503: " +
  "the correction is stored and will hold, and the request can be repeated.";

/** An extension of the contract: what a person knows better than the reader. */
export function addCorrectListing(app: FastifyInstance, context: RouteContext): void {
  const correct = createCorrect(context);
  const put = {
    operationId: "correctListing",
    tags: ["Market"],
    summary: "Correct what was read of a listing",
    description:
      "Replaces the corrections of the listing: the members in the body hold from now on, and others are as they were read. " +
      "`null` says that the listing has no such value, and `is_listing: false` hides it. A correction holds for this text " +
      `wherever it is posted, and after replays and re-extractions. ${WAITING}`,
    params,
    body: CorrectionBody,
    response,
  };
  typed(app).put(URL, { schema: put }, ({ params: { listing_id }, body }) => {
    const set = toCorrectionValues(body);
    const undo = new Set(CORRECTION_FIELDS.filter((field) => !set.has(field)));
    return correct(listing_id, { set, undo });
  });
  const remove = {
    operationId: "undoListingCorrection",
    tags: ["Market"],
    summary: "Undo the corrections of a listing",
    description: `All members are as they were read. ${WAITING}`,
    params,
    response,
  };
  typed(app).delete(URL, { schema: remove }, ({ params: { listing_id } }) =>
    correct(listing_id, { set: new Map(), undo: new Set(CORRECTION_FIELDS) }),
  );
}

function createCorrect({ db, feed, clock, catalogue }: RouteContext) {
  const watch = createReadingWatch({ db, feed });
  return async (listingId: string, wanted: WantedCorrection) => {
    const reader = { catalogue: await catalogue(), clock };
    const outcome = await correctListing(db, { listingId, ...wanted }, reader);
    if (outcome.kind === "unknown_listing")
      throw new AppError("listing_not_found", "there is no listing with this id");
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
