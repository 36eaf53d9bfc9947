import { useCallback } from "preact/hooks";
import type { FxRate, OperationsReport, Session } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/protocol.ts";
import { PageHeading } from "../../parts/page-heading.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { readRates } from "../../prices/read-rates.ts";
import { useLoad } from "../../state/load.ts";
import { useRefresh } from "../../state/refresh.ts";
import { words } from "../../words/words.ts";
import { BackfillSection } from "./backfill-section.tsx";
import { FigureStrip } from "./figure-strip.tsx";
import { FindingSection } from "./finding-section.tsx";
import { FlowSection } from "./flow-section.tsx";
import { OperationsHead } from "./operations-head.tsx";
import { QuarantineSection } from "./quarantine-section.tsx";
import { SessionSection } from "./session-section.tsx";

/** What the service says is up to five seconds old, so more often shows nothing new. */
const REFRESH_MS = 5_000;

interface State {
  readonly report: OperationsReport;
  readonly sessions: readonly Session[];
  readonly rates: readonly FxRate[];
}

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
