import { type Static, type TSchema, Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import {
  AMOUNT_MINOR_MAX,
  CARD_MONTHS,
  CORRECTION_FIELDS,
  type CorrectionField,
  type CorrectionValue,
  isCorrectionText,
  isCurrency,
  WORDS_MAX,
  YEARS,
} from "../../../listings/corrections/correction.ts";
import { CONDITIONS, FULL_SET_STATUSES, SIDES, STATUSES } from "../../../listings/listing.ts";
import { optional } from "../schemas.ts";

/** `null`: the listing has no such value. */
function nullable<Schema extends TSchema>(schema: Schema) {
  return optional(Type.Union([schema, Type.Null()]));
}

const Words = Type.String({ minLength: 1, maxLength: WORDS_MAX });
const CorrectedPrice = Type.Object(
  {
    amount_minor: Type.Integer({ minimum: 0, maximum: AMOUNT_MINOR_MAX }),
    currency: Type.String({
      pattern: "^[A-Za-z]{3,5}$",
      description: "A code such as EUR, HKD or USDT.",
    }),
  },
  { additionalProperties: false },
);

/** What a person says about a listing: the members that can be corrected, and nothing else. */
export const CorrectionBody = Type.Object(
  {
    side: optional(Type.Enum([...SIDES])),
    brand: nullable(Words),
    model: nullable(Words),
    reference: nullable(Words),
    dial_type: nullable(Words),
    variant: nullable(Words),
    year: nullable(Type.Integer({ minimum: YEARS.min, maximum: YEARS.max })),
    card_month: nullable(Type.Integer({ minimum: CARD_MONTHS.min, maximum: CARD_MONTHS.max })),
    condition: nullable(Type.Enum([...CONDITIONS])),
    full_set_status: nullable(
      Type.Array(Type.Enum([...FULL_SET_STATUSES]), {
        minItems: 1,
        maxItems: FULL_SET_STATUSES.length,
      }),
    ),
    price: nullable(CorrectedPrice),
    alternative_price: nullable(CorrectedPrice),
    status: nullable(Type.Enum([...STATUSES])),
    is_listing: optional(
      Type.Literal(false, { description: "The text offers and asks for nothing there." }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ year: 2021, condition: "USED", full_set_status: null }],
  },
);

/** The values as they are stored. Throws if a word or a currency is not valid, which the schema cannot say. */
export function toCorrectionValues(
  body: Static<typeof CorrectionBody>,
): ReadonlyMap<CorrectionField, CorrectionValue> {
  const values = new Map<CorrectionField, CorrectionValue>();
  for (const field of CORRECTION_FIELDS) {
    const value = body[field];
    if (value !== undefined) values.set(field, toValue(field, value));
  }
  return values;
}

type BodyValue = Exclude<Static<typeof CorrectionBody>[CorrectionField], undefined>;

function toValue(field: CorrectionField, value: BodyValue): CorrectionValue {
  if (typeof value === "string" && !isCorrectionText(value.trim()))
    throw new AppError("invalid_payload", `${field}: must be words in one line`);
  if (typeof value === "string") return value.trim();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [...new Set<string>(value)].sort();
  const currency = value.currency.toUpperCase();
  if (!isCurrency(currency))
    throw new AppError(
      "invalid_payload",
      `${field}.currency: "${currency}" is not a currency; send a code such as EUR, HKD or USDT`,
    );
  return { amount_minor: value.amount_minor, currency };
}
