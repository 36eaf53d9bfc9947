import type { Listing } from "../../../client/assay-client.ts";
import { isConsolePath } from "../../paths.ts";
import { DealerName } from "../watch.tsx";

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
