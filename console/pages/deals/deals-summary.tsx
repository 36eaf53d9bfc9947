import type { DealSummary } from "../../../client/assay-client.ts";
import { Amount, ThresholdText } from "../../parts/figures.tsx";
import { Broken } from "../../parts/states.tsx";
import type { Load } from "../../state/load.ts";
import { dealsWords } from "../../words/deals.ts";
import { formatCount, formatPercent, toWhole } from "../../words/formats.ts";

/** Does a buy make money? What was bought in this period, what the prices promised, and what was made of it. */
export function DealsSummary({ load }: { readonly load: Load<DealSummary> }) {
  const { value: summary, failure } = load.state.value;
  // Without a connection the list says so.
  const isFailed = failure !== undefined && failure.kind !== "offline";
  if (summary === undefined) {
    return (
      <div class="deals-summary" aria-busy={!isFailed}>
        {isFailed ? <Broken failure={failure} onRetry={load.reload} /> : null}
      </div>
    );
  }
  const { bought_count, sold_count } = summary;
  const [bought, sold] = [formatCount(bought_count), formatCount(sold_count)];
  return (
    <section class="deals-summary" aria-label={dealsWords.summary}>
      {isFailed ? <Broken failure={failure} onRetry={load.reload} /> : null}
      <dl class="figure-row">
        <Figure title={dealsWords.bought} minor={summary.paid_eur_minor}>
          {dealsWords.boughtOf(bought)}
        </Figure>
        <Figure title={dealsWords.promised} minor={summary.predicted_profit_eur_minor}>
          {dealsWords.promisedHint}
        </Figure>
        <div>
          <dt>{dealsWords.sold}</dt>
          <dd>
            <b>{dealsWords.soldOf(sold, bought)}</b>
          </dd>
        </div>
        <Figure title={dealsWords.made} minor={summary.realised_profit_eur_minor} isMade>
          {dealsWords.madeHint}
        </Figure>
      </dl>
      <p class="deals-verdict">
        <Verdict summary={summary} />
      </p>
      <p class="sub facts">
        {summary.without_rate_count === 0 ? null : (
          <span>{dealsWords.withoutRate(formatCount(summary.without_rate_count))}</span>
        )}
        {summary.without_prediction_count === 0 ? null : (
          <span>{dealsWords.withoutPrediction(formatCount(summary.without_prediction_count))}</span>
        )}
      </p>
    </section>
  );
}

function Figure(props: {
  readonly title: string;
  readonly minor: number;
  readonly isMade?: boolean;
  readonly children: string;
}) {
  const { title, minor, isMade = false } = props;
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <b>
          <Amount
            minor={toWhole(minor)}
            currency="EUR"
            kind="profit"
            isSigned={isMade}
            isBuy={isMade && minor > 0}
          />
        </b>{" "}
        <span class="sub">{props.children}</span>
      </dd>
    </div>
  );
}

/** The answer in one sentence, about what is sold only: the rest has made nothing yet. */
function Verdict({ summary }: { readonly summary: DealSummary }) {
  const { sold_predicted_profit_eur_minor: promised, realised_profit_eur_minor: made } = summary;
  if (summary.bought_count === 0) return <>{dealsWords.verdictNone}</>;
  if (summary.sold_count === 0) return <>{dealsWords.verdictUnsold}</>;
  return (
    <>
      {dealsWords.verdictOf}
      <Amount minor={toWhole(promised)} currency="EUR" kind="profit" />
      {made < 0 ? dealsWords.verdictLost : dealsWords.verdictMade}
      <Amount minor={Math.abs(toWhole(made))} currency="EUR" kind="profit" />
      {promised > 0 && made >= 0 ? (
        <ThresholdText text={dealsWords.verdictShare(formatPercent(made / promised))} />
      ) : (
        dealsWords.verdictEnd
      )}
    </>
  );
}
