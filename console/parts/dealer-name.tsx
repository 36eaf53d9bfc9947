import type { Listing } from "../../client/assay-client.ts";
import { isPresenting } from "../state/preferences.ts";
import { words } from "../words/words.ts";
import { hidePhones } from "./hide-phones.ts";
import { Phone } from "./phone.tsx";

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
