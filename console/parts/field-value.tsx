import type { ReadField } from "../../client/assay-client.ts";
import { times } from "../words/formats.ts";
import { readingWords } from "../words/reading.ts";
import { Amount } from "./amount.tsx";

const formatMonth = times({ month: "long", timeZone: "UTC" });

/** A value that was read, as a dealer would say it. */
export function FieldValue(props: {
  readonly field: string;
  readonly value: ReadField["value"] | undefined;
}) {
  const { field, value } = props;
  if (value === undefined) return <span class="soft">{readingWords.none}</span>;
  if (value === false) return <>{readingWords.no}</>;
  if (typeof value === "number") {
    return <>{field === "card_month" ? formatMonth(Date.UTC(2000, value - 1)) : value}</>;
  }
  if (typeof value === "string") return <bdi>{readingWords.value(value)}</bdi>;
  if (isPrice(value)) {
    return <Amount minor={value.amount_minor} currency={value.currency} kind="price" isExact />;
  }
  return <>{value.length === 0 ? readingWords.none : value.map(readingWords.value).join(", ")}</>;
}

type Price = Extract<ReadField["value"], { readonly amount_minor: number }>;

function isPrice(value: object): value is Price {
  return "amount_minor" in value;
}
