import type { Listing } from "../../client/assay-client.ts";
import { isPresenting } from "../state/preferences.ts";
import { words } from "../words/words.ts";

/** Opens a chat with the dealer. The address has the number, so there is no link in presenter mode. */
export function WhatsAppLink({ sender }: { readonly sender: Listing["sender"] }) {
  const digits = sender.phone_number?.replace(/\D/g, "") ?? "";
  if (digits === "" || isPresenting.value) return null;
  return (
    <a class="button main" href={`https://wa.me/${digits}`} target="_blank" rel="noreferrer">
      {words.dealer.write}
    </a>
  );
}
