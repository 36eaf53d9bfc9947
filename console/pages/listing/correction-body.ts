/**
 * The body of a correction, from what a person changed in the form.
 *
 * The service replaces what was corrected before, so members that hold from before and were not touched are sent again.
 *
 * Example: the year was corrected to 2021, and now the condition is changed to used: {year: 2021, condition: "USED"}.
 */
import type {
  CorrectListingRequest,
  HeldCorrection,
  Listing,
} from "../../../client/assay-client.ts";
import { isSameJson } from "../../filters/filter.ts";

/** What the fields of the form contain, as text; `amount` is in hundredths. */
export type CorrectionForm = Readonly<Record<CorrectionMember, string>>;

export const TEXT_MEMBERS = ["brand", "model", "reference", "dial_type", "variant"] as const;
export const SETS = ["FULL_SET", "WATCH_AND_CARD", "WATCH_AND_BOX", "WATCH"] as const;
type CorrectionMember =
  | (typeof TEXT_MEMBERS)[number]
  | "side"
  | "year"
  | "card_month"
  | "condition"
  | "full_set_status"
  | "amount"
  | "currency"
  | "status";

export function toForm(listing: Listing, correction: HeldCorrection | undefined): CorrectionForm {
  return {
    side: listing.side,
    brand: listing.brand ?? "",
    model: listing.model ?? "",
    reference: listing.reference ?? "",
    dial_type: listing.dial_type ?? "",
    variant: listing.variant ?? "",
    year: String(listing.year ?? ""),
    card_month: String(listing.card_month ?? ""),
    condition: listing.condition ?? "",
    full_set_status: listing.full_set_status[0] ?? "",
    amount: String(listing.price?.amount_minor ?? ""),
    currency: listing.price?.currency ?? "",
    // A listing does not show its status, so only a corrected one is known.
    status: String(correction?.values["status"] ?? ""),
  };
}

/** True if the form has an amount without a currency, or the other way round. */
export function hasHalfPrice({ amount, currency }: CorrectionForm): boolean {
  return (amount.trim() === "") !== (currency.trim() === "");
}

/** Undefined if nothing is corrected. */
export function toCorrection(
  before: CorrectionForm,
  after: CorrectionForm,
  held: HeldCorrection | undefined,
): CorrectListingRequest | undefined {
  const body: Record<string, unknown> = { ...toHeldBody(held) };
  for (const member of MEMBERS) {
    if (after[member].trim() === before[member].trim()) continue;
    body[member === "amount" || member === "currency" ? "price" : member] = readMember(
      member,
      after,
    );
  }
  return Object.keys(body).length === 0 ? undefined : (body as CorrectListingRequest);
}

/** What holds already, as a body. Undefined if nothing does. */
export function toHeldBody(held: HeldCorrection | undefined): CorrectListingRequest | undefined {
  if (held === undefined) return undefined;
  const cleared = held.cleared.map((member) => [member, null] as const);
  return { ...held.values, ...Object.fromEntries(cleared) } as CorrectListingRequest;
}

/** What holds already but for one field. Undefined if nothing is left. */
export function withoutField(
  held: HeldCorrection | undefined,
  field: string,
): CorrectListingRequest | undefined {
  const left = Object.entries(toHeldBody(held) ?? {}).filter(([member]) => member !== field);
  return left.length === 0 ? undefined : (Object.fromEntries(left) as CorrectListingRequest);
}

/** True if a member that `body` changes has been changed by someone else since it was seen. */
export function isDisputed(of: {
  readonly seen: CorrectListingRequest | undefined;
  readonly stored: CorrectListingRequest | undefined;
  readonly body: CorrectListingRequest | undefined;
}): boolean {
  const [seen, stored, body] = [of.seen, of.stored, of.body].map(
    (each): Readonly<Record<string, unknown>> => ({ ...each }),
  ) as [Members, Members, Members];
  return Object.keys({ ...seen, ...stored, ...body }).some(
    (member) =>
      !isSameJson(stored[member], body[member]) && !isSameJson(stored[member], seen[member]),
  );
}

type Members = Readonly<Record<string, unknown>>;

const MEMBERS = [
  ...TEXT_MEMBERS,
  "side",
  "year",
  "card_month",
  "condition",
  "full_set_status",
  "amount",
  "currency",
  "status",
] as const;

function readMember(member: CorrectionMember, form: CorrectionForm): unknown {
  const text = form[member].trim();
  switch (member) {
    case "amount":
    case "currency":
      return toPrice(form);
    case "year":
    case "card_month":
      return text === "" ? null : Number(text);
    case "full_set_status":
      return text === "" ? null : [text];
    default:
      return text === "" ? null : text;
  }
}

function toPrice({ amount, currency }: CorrectionForm): unknown {
  if (amount.trim() === "") return null;
  return {
    amount_minor: Number(amount),
    currency: currency.trim().toUpperCase(),
  };
}
