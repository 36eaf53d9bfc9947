import { Empty } from "../../parts/empty.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { words } from "../../words/words.ts";

export function ListingPage() {
  return (
    <div class="page">
      <PageHeading title={words.pages.listing} />
      <Empty title={words.states.notYet} />
    </div>
  );
}
