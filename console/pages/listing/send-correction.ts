import type {
  CorrectListingRequest,
  HeldCorrection,
  Listing,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { tellFailure } from "../../state/tell-failure.ts";
import { offerUndo } from "../../state/toasts.ts";
import { toHeldBody } from "./correction-body.ts";

/** The listing that is corrected, and what a person said about it before. */
export interface Correcting {
  readonly listing: Listing;
  readonly held: HeldCorrection | undefined;
  readonly onCorrected: () => void;
}

/** Saves a correction at once, and offers to put back what held before. An undefined body removes all corrections. */
export async function sendCorrection(
  { listing, held, onCorrected }: Correcting,
  body: CorrectListingRequest | undefined,
  done: string,
): Promise<void> {
  await save(listing.id, body);
  onCorrected();
  offerUndo(done, () => {
    save(listing.id, toHeldBody(held)).then(onCorrected, tellFailure);
  });
}

async function save(listing_id: string, body: CorrectListingRequest | undefined): Promise<void> {
  if (body === undefined) await api.undoListingCorrection({ listing_id });
  else await api.correctListing({ ...body, listing_id });
}
