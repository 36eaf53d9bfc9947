/** A watch and its dealer, as lists and pages name them. */
import type { Listing, ListingMatch } from "../../client/assay-client.ts";
import { isConsolePath } from "../paths.ts";
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
export function watchDetails(listing: Listing): string {
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
 * The page of a reference. Two brands may use the same one, so the brand is in the address too, where it is known; with a
 * headline, also the price, year and condition by which the watch is judged.
 */
export function referencePath(watch: {
  readonly reference: string;
  readonly brand?: string | undefined;
  readonly headline?: ListingMatch | undefined;
}): string {
  const { reference, brand, headline } = watch;
  const query = new URLSearchParams(brand === undefined ? {} : { brand });
  if (headline !== undefined) {
    query.set("price", headline.configuration_id);
    query.set("year", String(headline.year));
    query.set("condition", headline.condition_bucket);
  }
  return `/references/${encodeURIComponent(reference)}${query.size === 0 ? "" : `?${query}`}`;
}

/** Leads from a watch to what its reference is worth. */
export function ReferenceLink(props: {
  readonly watch: { readonly reference?: string; readonly brand?: string };
  readonly headline?: ListingMatch | undefined;
}) {
  const { reference, brand } = props.watch;
  if (reference === undefined) return null;
  return (
    <div class="sub">
      <a href={referencePath({ reference, brand, headline: props.headline })}>
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

/** The page of a dealer. Undefined while the console has none, so that no name leads to an error. */
function dealerPath(contactId: string | undefined): string | undefined {
  const path = `/dealers/${encodeURIComponent(contactId ?? "")}`;
  return contactId !== undefined && isConsolePath(path) ? path : undefined;
}

/** The name of a dealer, which leads to the dealer's page. */
export function DealerLink({ sender }: { readonly sender: Listing["sender"] }) {
  const path = dealerPath(sender.contact_id);
  if (path === undefined) return <DealerName sender={sender} />;
  return (
    <a class="dealer-link" href={path}>
      <DealerName sender={sender} />
    </a>
  );
}
