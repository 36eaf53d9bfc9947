import { useCallback } from "preact/hooks";
import type {
  FxRate,
  OperationsFinding,
  OperationsReport,
  Session,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/stream.ts";
import { Button } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Age } from "../../parts/figures.tsx";
import { PageHeading, ScrollArea, Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useLoad, useRefresh } from "../../state/load.ts";
import { readRates } from "../../state/prices.ts";
import { operationsWords } from "../../words/operations.ts";
import { words } from "../../words/words.ts";
import { BackfillSection } from "./backfill-section.tsx";
import { FigureStrip } from "./figure-strip.tsx";
import { FlowSection } from "./flow-section.tsx";
import { QuarantineSection } from "./quarantine-section.tsx";
import { SessionSection } from "./session-section.tsx";

interface State {
  readonly report: OperationsReport;
  readonly sessions: readonly Session[];
  readonly rates: readonly FxRate[];
}

/** What the service says is up to five seconds old, so more often shows nothing new. */
const REFRESH_MS = 5_000;

/** Whether the installation works, and what it is doing. */
export function OperationsPage() {
  const load = useLoad([], readState);
  useRefresh(load.reload, REFRESH_MS);
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      if (events.some(isAboutSessions)) load.reload();
    }, []),
  );
  const { value, failure } = load.state.value;
  return (
    <ScrollArea name="operations" label={words.pages.operations}>
      <div class="page operations">
        {value === undefined ? <PageHeading title={words.pages.operations} /> : null}
        {value === undefined ? (
          <WhenLoaded load={load}>{() => null}</WhenLoaded>
        ) : (
          <>
            <OperationsHead report={value.report} hasFailed={failure !== undefined} load={load} />
            <Report {...value} />
          </>
        )}
      </div>
    </ScrollArea>
  );
}

async function readState(signal: AbortSignal): Promise<State> {
  const [report, { items: sessions }, rates] = await Promise.all([
    api.getOperations({}, { signal }),
    api.listSessions({}, { signal }),
    readRates(signal),
  ]);
  return { report, sessions, rates };
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
      <PageHeading title={words.pages.operations} />
      <p class={badCount === 0 ? "good-words" : "warn-words"}>
        {badCount === 0 ? operationsWords.fine : operationsWords.bad(badCount)}
      </p>
      <span class="grow" />
      <p class="sub">
        {operationsWords.readAt} <Age atMs={report.as_of_ms} />{" "}
        {hasFailed ? <Tag tone="warn">{operationsWords.notRead}</Tag> : null}
      </p>
      <Button onPress={load.reload}>{operationsWords.refresh}</Button>
    </header>
  );
}

function Report({ report, sessions, rates }: State) {
  return (
    <>
      <FigureStrip report={report} rates={rates} />
      <div class="operations-columns">
        <div class="operations-column">
          <FindingSection report={report} />
          <SessionSection sessions={sessions} />
          <BackfillSection backfills={report.backfills} />
        </div>
        <div class="operations-column">
          <FlowSection report={report} />
          <QuarantineSection quarantine={report.quarantine} />
        </div>
      </div>
    </>
  );
}

/** What the checks found, with the command that helps. Those that are fine are folded. */
function FindingSection({ report }: { readonly report: OperationsReport }) {
  const { findings, pending_checks } = report;
  const bad = findings.filter(({ is_fine }) => !is_fine);
  const fine = findings.filter(({ is_fine }) => is_fine);
  return (
    <Section title={operationsWords.findings}>
      {bad.length === 0 ? <p class="soft">{operationsWords.noFindings}</p> : null}
      {bad.length === 0 ? null : <Findings findings={bad} />}
      {pending_checks.length === 0 ? null : (
        <p class="sub">{operationsWords.pending(pending_checks.join(", ").replaceAll("_", " "))}</p>
      )}
      <details class="fold">
        <summary>{operationsWords.fineChecks(fine.length)}</summary>
        <Findings findings={fine} />
      </details>
    </Section>
  );
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
