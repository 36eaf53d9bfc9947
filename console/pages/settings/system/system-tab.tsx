import { useCallback } from "preact/hooks";
import type {
  FxRate,
  OperationsFinding,
  OperationsReport,
} from "../../../../client/assay-client.ts";
import { api } from "../../../api.ts";
import { useLive } from "../../../live/live.ts";
import type { LiveEvent } from "../../../live/stream.ts";
import { Button } from "../../../parts/button.tsx";
import { CopyLine, ForEngineers } from "../../../parts/copy.tsx";
import { Age } from "../../../parts/figures.tsx";
import { Section } from "../../../parts/layout.tsx";
import { WhenLoaded } from "../../../parts/states.tsx";
import { Tag } from "../../../parts/table.tsx";
import { useLoad, useRefresh } from "../../../state/load.ts";
import { readRates } from "../../../state/prices.ts";
import { operationsWords } from "../../../words/operations.ts";
import { settingsWords } from "../../../words/settings.ts";
import { FigureStrip } from "./figure-strip.tsx";
import { FlowSection } from "./flow-section.tsx";
import { QuarantineSection } from "./quarantine-section.tsx";

interface State {
  readonly report: OperationsReport;
  readonly rates: readonly FxRate[];
}

/** The tab where something can be done about a check. */
const REMEDIES: Readonly<Record<string, "phones" | "prices" | "notifications">> = {
  sessions: "phones",
  backfill: "phones",
  gateway: "phones",
  refused_events: "phones",
  rates: "prices",
  rate_fetch: "prices",
  prices: "prices",
  sets: "prices",
  deliveries: "notifications",
};

/** What the service says is up to five seconds old, so more often shows nothing new. */
const REFRESH_MS = 5_000;

/** Whether the installation works, and what it is doing. */
export function SystemTab() {
  const load = useLoad([], readState);
  useRefresh(load.reload, REFRESH_MS);
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      if (events.some(isAboutSessions)) load.reload();
    }, []),
  );
  const { value, failure } = load.state.value;
  return (
    <div class="page operations">
      {value === undefined ? (
        <WhenLoaded load={load}>{() => null}</WhenLoaded>
      ) : (
        <>
          <OperationsHead report={value.report} hasFailed={failure !== undefined} load={load} />
          <Report {...value} />
        </>
      )}
    </div>
  );
}

async function readState(signal: AbortSignal): Promise<State> {
  const [report, rates] = await Promise.all([api.getOperations({}, { signal }), readRates(signal)]);
  return { report, rates };
}

function isAboutSessions({ event }: LiveEvent): boolean {
  return event === "session.changed" || event === "reconnected";
}

/** One sentence, and when it was true. It has one line whatever happens, so that nothing below it moves. */
function OperationsHead(props: {
  readonly report: OperationsReport;
  readonly hasFailed: boolean;
  readonly load: { readonly reload: () => void };
}) {
  const { report, hasFailed, load } = props;
  const badCount = report.findings.filter(({ is_fine }) => !is_fine).length;
  return (
    <header class="operations-head">
      <h2 class={badCount === 0 ? "good-words" : "warn-words"}>
        {badCount === 0 ? operationsWords.fine : operationsWords.bad(badCount)}
      </h2>
      <span class="grow" />
      <p class="sub">
        {operationsWords.readAt} <Age atMs={report.as_of_ms} />{" "}
        {hasFailed ? <Tag tone="warn">{operationsWords.notRead}</Tag> : null}
      </p>
      <Button onPress={load.reload}>{operationsWords.refresh}</Button>
    </header>
  );
}

function Report({ report, rates }: State) {
  return (
    <>
      <FigureStrip report={report} rates={rates} />
      <div class="operations-columns">
        <div class="operations-column">
          <FindingSection report={report} />
          <QuarantineSection quarantine={report.quarantine} />
        </div>
        <div class="operations-column">
          <FlowSection report={report} />
        </div>
      </div>
    </>
  );
}

/** What the checks found, in the words of the trade; what they said exactly, and the command that helps, are for engineers. */
function FindingSection({ report }: { readonly report: OperationsReport }) {
  const { findings, pending_checks } = report;
  const bad = findings.filter(({ is_fine }) => !is_fine);
  const fine = findings.filter(({ is_fine }) => is_fine);
  const shown = [...bad, ...fine.filter(({ is_warning }) => is_warning === true)];
  const checks = [...new Set(shown.map(({ check }) => check))];
  const badChecks = new Set(bad.map(({ check }) => check));
  return (
    <Section title={operationsWords.findings}>
      {bad.length === 0 ? <p class="soft">{operationsWords.noFindings}</p> : null}
      {shown.length === 0 ? null : (
        <ul class="findings">
          {checks.map((check) => (
            <li key={check} class={badChecks.has(check) ? "is-bad" : ""}>
              <p>
                {operationsWords.findingOf(check)} <Remedy check={check} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {pending_checks.length === 0 ? null : (
        <p class="sub">{operationsWords.pending(pending_checks.length)}</p>
      )}
      <p class="sub">{operationsWords.fineChecks(fine.length)}</p>
      <ForEngineers>
        <Findings findings={[...new Set([...shown, ...fine])]} />
      </ForEngineers>
    </Section>
  );
}

/** Where the reader can do something about it. */
function Remedy({ check }: { readonly check: string }) {
  const tab = REMEDIES[check];
  if (tab === undefined) return null;
  return <a href={`/settings?show=${tab}`}>{settingsWords.tabOf[tab]}</a>;
}

function Findings({ findings }: { readonly findings: readonly OperationsFinding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ text, command, is_fine }, at) => (
        <li key={`${at} ${text}`} class={is_fine ? "" : "is-bad"}>
          <p>{text}</p>
          {command === undefined ? null : <CopyLine text={command} />}
        </li>
      ))}
    </ul>
  );
}
