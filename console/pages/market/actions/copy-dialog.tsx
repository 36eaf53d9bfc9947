import { describeMember } from "../../../filters/clauses.ts";
import { Button } from "../../../parts/button.tsx";
import { CopyText } from "../../../parts/copy-text.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { marketWords } from "../../../words/market.ts";
import { words } from "../../../words/words.ts";
import { market, toPath } from "../market-state.ts";
import { toCurl, toYaml } from "./search-texts.ts";

const NAME_MAX = 80;

/** The current search as a link, as a view of a manifest, and as a request. */
export function CopyDialog({ onClose }: { readonly onClose: () => void }) {
  const { filter, sort } = market.value;
  const named = Object.keys(filter).map((member) => describeMember(filter, member));
  const name = named.join(", ").slice(0, NAME_MAX) || words.pages.market;
  return (
    <Dialog label={marketWords.copyTitle} class="copy" onClose={onClose}>
      <h2>{marketWords.copyTitle}</h2>
      <CopyText label={marketWords.copyLink} text={`${location.origin}${toPath(market.value)}`} />
      <CopyText label={marketWords.copyYaml} text={toYaml({ name, filter, sort })} />
      <CopyText label={marketWords.copyCurl} text={toCurl({ filter, sort }, location.origin)} />
      <Button onPress={onClose}>{words.keys.close}</Button>
    </Dialog>
  );
}
