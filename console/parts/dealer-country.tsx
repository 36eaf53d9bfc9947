import { countryOf, regionOf } from "./country.ts";

/** The country of a dealer's phone number: `IT`, or its name. */
export function DealerCountry(props: {
  readonly callingCode: string | undefined;
  readonly isLong?: boolean;
}) {
  const { callingCode } = props;
  if (callingCode === undefined) return null;
  const name = countryOf(callingCode);
  if (props.isLong === true) return <span>{name}</span>;
  return <abbr title={name}>{regionOf(callingCode) ?? name}</abbr>;
}
