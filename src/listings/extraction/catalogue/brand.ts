import Type, { type Static } from "typebox";

/** One house: how it is written, what its references look like, and which of them are known by name. */
export const BrandSchema = Type.Object(
  {
    /** The full house name, as the API shows it. */
    name: Type.String({ minLength: 1, maxLength: 80 }),
    spellings: Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 }),
    shapes: Type.Array(
      Type.Object(
        {
          pattern: Type.String({ minLength: 1, maxLength: 400 }),
          /** `shape`: nothing else looks like this. `context`: only a known reference, or beside the brand's name. */
          trust: Type.Union([Type.Literal("shape"), Type.Literal("context")]),
        },
        { additionalProperties: false },
      ),
      { maxItems: 100 },
    ),
    models: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 80 }),
          /** What dealers call it; each such word names the brand too. */
          words: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 }),
          ),
          /** Known references, separated by blanks. */
          references: Type.Optional(Type.String({ maxLength: 20_000 })),
        },
        { additionalProperties: false },
      ),
      { maxItems: 500 },
    ),
    /** Nicknames: word -> model. They become the variant; none of them fixes a reference. */
    nicknames: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 80 }),
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 80 }),
            model: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    /** Letters that dealers glue to a reference to say which dial it has. */
    dialCodes: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 8 }),
        Type.String({ minLength: 1, maxLength: 80 }),
      ),
    ),
    /** Year in which a reference was first sold: an earlier card is a misreading. */
    launched: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 40 }),
        Type.Integer({ minimum: 1900, maximum: 2100 }),
      ),
    ),
  },
  { additionalProperties: false },
);

export type BrandData = Static<typeof BrandSchema>;
