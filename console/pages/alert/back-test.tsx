import type { AlertPreview } from "../../../client/assay-client.ts";
import { Broken } from "../../parts/broken.tsx";
import { Loading } from "../../parts/loading.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { Section } from "../../parts/section.tsx";
import { alertsWords } from "../../words/alerts.ts";
import { numbers } from "../../words/formats.ts";
import type { AlertDraft } from "./alert-draft.ts";
import { DayChart } from "./day-chart.tsx";
import { Examples } from "./examples.tsx";
import { Overlaps } from "./overlaps.tsx";
import { isOnMessages, type Preview } from "./use-preview.ts";

const formatMean = numbers({ maximumFractionDigits: 1 });

/** What the alert would have matched in the last 30 days, by the service's own count. */
export function BackTest(props: {
  readonly draft: AlertDraft;
  readonly preview: Preview;
  readonly alertId: string | undefined;
}) {
  const { preview, draft } = props;
  const { value, failure, isLoading } = preview.state.value;
  const isStale = isLoading || !preview.isSettled;
  return (
    <ScrollArea name="alert-test" label={alertsWords.backTest} class="alert-test">
      <div class={isStale ? "back-test is-stale" : "back-test"} aria-busy={isStale}>
        <div class="block-head">
          <h2>{alertsWords.backTest}</h2>
          <p class="sub" role="status">
            {isStale ? alertsWords.counting : alertsWords.backTestHint}
          </p>
        </div>
        {isOnMessages(draft.filter) ? (
          <p class="soft">{alertsWords.messagesHint}</p>
        ) : failure !== undefined ? (
          <Broken failure={failure} onRetry={preview.reload} />
        ) : value === undefined ? (
          <Loading rows={6} />
        ) : (
          <Figures preview={value} alertId={props.alertId} />
        )}
      </div>
    </ScrollArea>
  );
}

function Figures(props: { readonly preview: AlertPreview; readonly alertId: string | undefined }) {
  const { preview, alertId } = props;
  const { total, is_exact, days, overlaps, items } = preview;
  const others = overlaps.filter(({ alert_id }) => alert_id !== alertId);
  const own = overlaps.find(({ alert_id }) => alert_id === alertId);
  const [first] = others;
  return (
    <>
      <p class="headline">
        <b>{alertsWords.inDays(total, is_exact)}</b>
        {first === undefined ? null : (
          <>
            , {alertsWords.alsoIn(first.shared_count, is_exact)}{" "}
            <a href={`/alerts/${first.alert_id}`}>
              <bdi>{first.name}</bdi>
            </a>
          </>
        )}
      </p>
      <p class="sub facts">
        {total === 0 ? null : <span>{describePace(total / days.length)}</span>}
        {own === undefined ? null : (
          <span>{alertsWords.itselfFound(own.shared_count, is_exact)}</span>
        )}
        {is_exact ? null : <span>{alertsWords.sampled}</span>}
      </p>
      {total === 0 ? null : <DayChart days={days} />}
      {others.length === 0 ? null : <Overlaps overlaps={others} total={total} />}
      {items.length === 0 ? (
        <p class="soft">{alertsWords.examplesNone}</p>
      ) : (
        <Section title={alertsWords.examples}>
          <Examples listings={items} />
        </Section>
      )}
    </>
  );
}

function describePace(perDay: number): string {
  return perDay < 1 ? alertsWords.rareDay : alertsWords.perDay(formatMean(perDay));
}
