import {
  type Correction,
  type CorrectionField,
  type CorrectionScope,
  type CorrectionValue,
  fits,
  isPriceField,
  isSameValue,
  latestOfScopes,
  type ReadPlace,
  withId,
} from "./correction.ts";

/** What a person wants for one listing. A `PUT` undoes the fields that it does not set, a `DELETE` all of them. */
export interface WantedCorrection {
  readonly set: ReadonlyMap<CorrectionField, CorrectionValue>;
  readonly undo: ReadonlySet<CorrectionField>;
}

export interface CorrectedPlace {
  readonly identity_sha256: string;
  readonly line: number;
  readonly ordinal: number;
  /** Undefined if extraction finds no listing there. Then nothing can be set, only undone. */
  readonly read: ReadPlace | undefined;
  /** All corrections of this place that are stored. */
  readonly stored: readonly Correction[];
}

/** The corrections to store so that `wanted` holds. What holds already is not stored again. */
export function draftCorrections(
  place: CorrectedPlace,
  wanted: WantedCorrection,
  nowMs: number,
): readonly Correction[] {
  // Later than all others, even if the clock was set back since: the last one to speak is right.
  const newestMs = Math.max(-1, ...place.stored.map((correction) => correction.corrected_at_ms));
  const corrected_at_ms = Math.max(nowMs, newestMs + 1);
  return [...draftSet(place, wanted.set), ...draftUndo(place, wanted.undo)].map((draft) =>
    withId({ ...draft, corrected_at_ms }),
  );
}

type Draft = Omit<Correction, "id" | "corrected_at_ms">;

function draftSet(
  { read, stored, ...place }: CorrectedPlace,
  values: WantedCorrection["set"],
): readonly Draft[] {
  if (read === undefined) return [];
  const latest = latestOfScopes(stored);
  return [...values].flatMap(([field, value]) => {
    const present = latest.find(
      (correction) => correction.field === field && fits(correction, read),
    );
    const holds = present !== undefined && !present.is_undone && isSameValue(present.value, value);
    return holds ? [] : [{ ...scopeOf(place, field, read), value, is_undone: false }];
  });
}

/**
 * Undoes what holds, and what is set aside. A price that was corrected for another currency or country is not undone, because
 * it may hold for another dealer's post; that this one is not corrected is said in its own scope.
 */
function draftUndo(
  { read, stored, ...place }: CorrectedPlace,
  fields: WantedCorrection["undo"],
): readonly Draft[] {
  const present = latestOfScopes(stored).filter(
    ({ field, is_undone }) => fields.has(field) && !is_undone,
  );
  const scopes = present.map((correction): CorrectionScope => {
    const isForeign =
      read !== undefined &&
      !fits(correction, read) &&
      correction.reference_normalized === read.reference_normalized;
    return isForeign ? scopeOf(place, correction.field, read) : correction;
  });
  const drafts = scopes.map((scope) => ({ ...pickScope(scope), value: null, is_undone: true }));
  return [...new Map(drafts.map((draft) => [JSON.stringify(draft), draft])).values()].filter(
    (draft) => !isUndone(draft, stored),
  );
}

/** True if this was undone in just this scope before, and nothing was set in it since. */
function isUndone(draft: Draft, stored: readonly Correction[]): boolean {
  const scope = JSON.stringify(pickScope(draft));
  const [latest] = latestOfScopes(
    stored.filter((correction) => JSON.stringify(pickScope(correction)) === scope),
  );
  return latest?.is_undone === true;
}

function scopeOf(
  place: Pick<CorrectedPlace, "identity_sha256" | "line" | "ordinal">,
  field: CorrectionField,
  read: ReadPlace,
): CorrectionScope {
  const isPrice = isPriceField(field);
  return pickScope({
    ...place,
    field,
    reference_normalized: read.reference_normalized,
    default_currency: isPrice ? read.default_currency : null,
    sender_country: isPrice ? read.sender_country : null,
  });
}

function pickScope(scope: CorrectionScope): CorrectionScope {
  const { identity_sha256, line, ordinal, reference_normalized, field } = scope;
  const { default_currency, sender_country } = scope;
  return {
    identity_sha256,
    line,
    ordinal,
    reference_normalized,
    field,
    default_currency,
    sender_country,
  };
}
