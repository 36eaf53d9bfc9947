import { regionOf } from "./calling-codes.ts";

const NAMES = new Intl.DisplayNames("en-GB", { type: "region" });

/** The country of a dealer's phone number: `IT`, or its name. */
export function Country(props: {
  readonly callingCode: string | undefined;
  readonly isLong?: boolean;
}) {
  const region = regionOf(props.callingCode);
  if (region === undefined) return null;
  const name = NAMES.of(region) ?? region;
  if (props.isLong === true) return <span>{name}</span>;
  return <abbr title={name}>{region}</abbr>;
}
