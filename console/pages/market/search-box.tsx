import { withMember } from "../../filters/filter-values.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { marketWords } from "../../words/market.ts";
import { changeFilter, market } from "./market-state.ts";

export function SearchBox() {
  const { filter } = market.value;
  const search = (text: string): void => {
    const now = market.peek().filter;
    if (text === (now["q"] ?? "")) return;
    // The first letter is a step of its own, so the way back leads to before the search.
    changeFilter(withMember(now, "q", text === "" ? undefined : text), {
      isReplacing: now["q"] !== undefined && text !== "",
    });
  };
  return (
    <SearchField
      text={typeof filter["q"] === "string" ? filter["q"] : ""}
      label={marketWords.search}
      keyLabel={marketWords.searchKey}
      area="market"
      onSearch={search}
    />
  );
}
