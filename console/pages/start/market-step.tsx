import type { FilterMembers } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { FieldProblem } from "../../parts/form.tsx";
import { Tag } from "../../parts/table.tsx";
import { showToast } from "../../state/toasts.ts";
import { startWords } from "../../words/start.ts";
import { type StepProps, useAction } from "./steps.ts";

const words = startWords.markets;
/** Calling codes: the country of a dealer is that of the number. */
const EUROPE =
  "30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 351 352 353 354 356 357 358 359 370 371 372 385 386 420 421";
const MARKETS = [
  { market: "EU", codes: EUROPE.split(" ") },
  { market: "HK", codes: ["852", "853", "86"] },
] as const;

/** Which dealers count as Europe and as Hong Kong: one view for each. */
export function MarketStep({ state, onChanged }: StepProps) {
  const { isBusy, problem, run } = useAction();
  const viewOf = (market: string) =>
    state.sourceViews.find(({ source_market }) => source_market === market);
  const missing = MARKETS.filter(({ market }) => viewOf(market) === undefined);
  const create = async (): Promise<void> => {
    for (const { market, codes } of missing) {
      await api.createView({
        name: words[market].title,
        source_market: market,
        filters: { country_codes: { include: codes } } satisfies FilterMembers,
      });
    }
    showToast(words.created);
    onChanged();
  };
  return (
    <>
      <p>{words.intro}</p>
      <ul class="choices">
        {MARKETS.map(({ market }) => {
          const view = viewOf(market);
          return (
            <li key={market}>
              <b>{words[market].title}</b>
              <span class="soft">
                {view === undefined ? words[market].hint : words.exists(view.name)}
              </span>
              {view === undefined ? null : <Tag tone="good">{startWords.done}</Tag>}
            </li>
          );
        })}
      </ul>
      <FieldProblem>{problem.value}</FieldProblem>
      {missing.length === 0 ? null : (
        <Button isMain isWrite isBusy={isBusy.value} onPress={() => run(create)}>
          {words.create(missing.length)}
        </Button>
      )}
    </>
  );
}
