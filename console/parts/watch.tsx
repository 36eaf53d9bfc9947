/** A watch and its dealer, as lists and pages name them. */
import type { Listing, ListingMatch } from "../../client/assay-client.ts";
import { isPresenting } from "../state/preferences.ts";
import { countryOf, regionOf } from "../words/countries.ts";
import { hidePhones } from "../words/formats.ts";
import { readingWords } from "../words/reading.ts";
import { words } from "../words/words.ts";
import { hiddenElement } from "./figures.tsx";

/** `Rolex 126711CHNR`; a watch that was read without either is an unknown one. */
export function watchTitle(watch: Pick<Listing, "brand" | "reference" | "model">): string {
  const { brand, reference, model } = watch;
  const title = [brand, reference ?? model].filter((part) => part !== undefined).join(" ");
  return title === "" ? readingWords.unknownWatch : title;
}

/** `2023 · like new · full set · black`: in this order everywhere. */
export function watchDetails(
  listing: Pick<Listing, "year" | "condition" | "full_set_status" | "dial_type" | "variant">,
): string {
  const { year, condition, full_set_status, dial_type, variant } = listing;
  const parts = [
    year,
    condition === undefined ? undefined : readingWords.value(condition),
    ...full_set_status.map(readingWords.value),
    dial_type,
    variant,
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}

/**
 * The page of a reference. Two brands may use the same one, so the brand is in the address too, where it is known; from a watch
 * also its year and condition, the price by which it is judged, and which ask it is, so that the page shows it among the others.
 */
export function referencePath(watch: {
  readonly reference: string;
  readonly brand?: string | undefined;
  readonly headline?: ListingMatch | undefined;
  readonly from?: Pick<Listing, "id" | "year" | "condition"> | undefined;
}): string {
  const { reference, brand, headline, from } = watch;
  const year = headline?.year ?? from?.year;
  const condition = headline?.condition_bucket ?? from?.condition?.toLowerCase();
  const parameters = {
    brand,
    price: headline?.configuration_id,
    year: year === undefined ? undefined : String(year),
    condition,
    ask: from?.id,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, value);
  }
  return `/references/${encodeURIComponent(reference)}${query.size === 0 ? "" : `?${query}`}`;
}

/** A new alert on the buys of a reference, ready to be saved. */
export function alertPath(watch: {
  readonly reference: string;
  readonly brand?: string | undefined;
}): string {
  const { reference, brand } = watch;
  const name = words.alertName([brand, reference].filter(Boolean).join(" "));
  const query = new URLSearchParams({ name, strategy: "price_engine", reference });
  return `/alerts/new?${query}`;
}

/** Leads from a watch to what its reference is worth. */
export function ReferenceLink(props: {
  readonly watch: Listing;
  readonly headline?: ListingMatch | undefined;
}) {
  const { watch, headline } = props;
  const { reference, brand } = watch;
  if (reference === undefined) return null;
  return (
    <div class="sub">
      <a href={referencePath({ reference, brand, headline, from: watch })}>
        {words.palette.openReference(reference)}
      </a>
    </div>
  );
}

/** A name as the dealer chose it, or else the number. Some dealers choose their number. */
export function DealerName({ sender }: { readonly sender: Listing["sender"] }) {
  const { display_name, phone_number } = sender;
  if (display_name === undefined) {
    if (phone_number === undefined) return <span class="faint">{words.dealer.unknown}</span>;
    return <Phone number={phone_number} />;
  }
  return (
    <bdi class="dealer-name" title={isPresenting.value ? "" : display_name}>
      {isPresenting.value ? hidePhones(display_name) : display_name}
    </bdi>
  );
}

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

/** The one way to show a phone number: digits without `+`, as the service has them. */
export function Phone({ number }: { readonly number: string | undefined }) {
  if (number === undefined) return null;
  if (isPresenting.value) return hiddenElement("phone");
  return <span class="phone">+{number}</span>;
}

/** The name of a dealer, which leads to the dealer's page. No component in it: rows of the market appear while one scrolls. */
export function DealerLink({ sender }: { readonly sender: Listing["sender"] }) {
  if (sender.contact_id === undefined) return DealerName({ sender });
  return (
    <a class="dealer-link" href={`/dealers/${sender.contact_id}`}>
      {DealerName({ sender })}
    </a>
  );
}
