import { parseArgs } from "node:util";
import { OperatorError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import { correctListing } from "../../listings/corrections/correct-listing.ts";
import {
  CORRECTION_FIELDS,
  type Correction,
  type CorrectionField,
  type CorrectionValue,
} from "../../listings/corrections/correction.ts";
import {
  findListingFields,
  type ListingFields,
} from "../../listings/corrections/correction-store.ts";
import type { WantedCorrection } from "../../listings/corrections/draft-corrections.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import { type Command, UsageError } from "../command.ts";
import {
  describeListing,
  describeValue,
  parseAssignment,
  parseField,
} from "../correction-words.ts";
import { cliAuthor, withSteps, withStore } from "../with-store.ts";

const HELP = `Corrects what was read in a message. The correction holds for this text wherever it is posted, also by another dealer,
and after replays and re-extractions. You can run it while the service runs. It returns when everything that is queued is
processed; if it is interrupted, the correction is kept, and a running service or the next command does the rest.

Usage:
  assay correct LISTING_ID FIELD=VALUE… [--demo]
  assay correct LISTING_ID --not-a-listing [--demo]
  assay correct LISTING_ID --is-a-listing [FIELD=VALUE…] [--demo]
  assay correct LISTING_ID --undo [FIELD…] [--demo]

  FIELD=VALUE      one or more of these; an empty value (year=) says that the listing has none
    side               for_sale, want_to_buy
    brand, model, reference, dial_type, variant
                       words
    year               such as 2021
    card_month         1 to 12
    condition          NEW, LIKE_NEW, USED
    full_set_status    FULL_SET, WATCH_AND_CARD, WATCH_AND_BOX, WATCH; several with a comma
    price, alternative_price
                       amount and currency, such as '8950 EUR'
    status             sold, on_hold
  --not-a-listing  hides the listing: the text offers and asks for nothing there
  --is-a-listing   shows a listing that was left out as talk: the text does offer it, or ask for it
  --undo           undoes all corrections of the listing, or those of the named fields (is_listing for the two above)
  --demo           uses the demo database

A corrected price holds for senders of the same country and groups with the same default currency. If extraction later reads
another reference there, the correction is set aside; \`assay corrections list\` shows it.

Examples:
  assay correct 5f0c1a52-97b1-5d0e-8a43-0e9d8f3b2c11 price='8950 EUR' year=2021
  assay correct 5f0c1a52-97b1-5d0e-8a43-0e9d8f3b2c11 --undo year
`;

export const correctCommand: Command = {
  summary: "corrects what was read of a listing",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "not-a-listing": { type: "boolean", default: false },
        "is-a-listing": { type: "boolean", default: false },
        undo: { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
    });
    const [listingId = "", ...words] = positionals;
    if (!isUuid(listingId)) throw new UsageError("name a listing by its id, a UUID");
    const wanted = parseWanted(words, {
      isUndo: values.undo,
      isNoListing: values["not-a-listing"],
      isListing: values["is-a-listing"],
    });
    await withStore(terminal, { isDemo: values.demo }, (call) =>
      withSteps(call, async (context) => {
        const before = await findListingFields(context.pool, listingId);
        const outcome = await correctListing(
          context.pool,
          { listingId, ...wanted },
          { catalogue: context.catalogue, author: cliAuthor() },
        );
        if (outcome.kind === "unknown_listing")
          throw new OperatorError(`there is no listing with the id ${listingId}`);
        if (outcome.kind === "outdated_listing")
          throw new OperatorError(
            "this version does not read such a listing there; run `assay reextract` and look at it again",
          );
        await finishQueued(context);
        const after = await findListingFields(context.pool, listingId);
        terminal.out.write(describeChanges(before, after));
        terminal.out.write(describeCount(outcome.corrections, outcome.messageCount));
      }),
    );
    return 0;
  },
};

function parseWanted(
  words: readonly string[],
  flags: { readonly isUndo: boolean; readonly isNoListing: boolean; readonly isListing: boolean },
): WantedCorrection {
  const { isUndo, isNoListing, isListing } = flags;
  if (Object.values(flags).filter(Boolean).length > 1)
    throw new UsageError("use only one of --undo, --not-a-listing and --is-a-listing");
  if (isUndo) {
    const named = words.map(parseField);
    return { set: new Map(), undo: new Set(named.length === 0 ? CORRECTION_FIELDS : named) };
  }
  const set = new Map<CorrectionField, CorrectionValue>(words.map(parseAssignment));
  if (set.size < words.length) throw new UsageError("a field is named twice");
  if (isNoListing || isListing) set.set("is_listing", isListing);
  if (set.size === 0)
    throw new UsageError(
      "say what to correct: FIELD=VALUE…, --not-a-listing, --is-a-listing or --undo",
    );
  return { set, undo: new Set() };
}

/** One line for each field that has another value now. */
function describeChanges(
  before: ListingFields | undefined,
  after: ListingFields | undefined,
): string {
  if (before === undefined || after === undefined) return "";
  return CORRECTION_FIELDS.map((field) => {
    const [old, now] = [describeField(before, field), describeField(after, field)];
    return old === now ? "" : `${field.padEnd(17)} ${old} -> ${now}\n`;
  }).join("");
}

function describeField(fields: ListingFields, field: CorrectionField): string {
  if (field === "is_listing") return describeListing(fields.is_listing);
  return describeValue(fields[field]);
}

function describeCount(corrections: readonly Correction[], messageCount: number): string {
  if (corrections.length === 0) return "nothing to change\n";
  const verb = corrections.every(({ is_undone }) => is_undone) ? "undone" : "saved";
  return `${corrections.length} corrections ${verb}; ${messageCount} messages with this text read again\n`;
}
