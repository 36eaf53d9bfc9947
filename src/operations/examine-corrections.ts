import type { Database } from "../db/database.ts";
import type { SetAsideReason } from "../listings/corrections/correction.ts";
import {
  countCorrections,
  countSetAsideCorrections,
} from "../listings/corrections/correction-overview-store.ts";
import type { Finding } from "./finding.ts";

const REASONS: Readonly<Record<SetAsideReason, string>> = {
  other_reference: "extraction reads another reference there",
  other_currency_or_country: "the group's default currency or the sender's country is another one",
  no_listing: "extraction finds no listing there",
};

/** Reports corrections that do not hold any more. */
export async function examineCorrections(db: Database): Promise<readonly Finding[]> {
  const counts = await countSetAsideCorrections(db);
  if (counts.length === 0) {
    const count = await countCorrections(db);
    return [{ isFine: true, text: `corrections: ${count}, none set aside` }];
  }
  return counts.map(({ reason, count }) => ({
    isFine: false,
    text:
      `corrections: ${count} set aside, because ${REASONS[reason]}; ` +
      "see `assay corrections list --set-aside`, then correct the listings again or undo the corrections",
    command: "assay corrections list --set-aside",
  }));
}
