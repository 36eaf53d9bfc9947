import { useCallback } from "preact/hooks";
import type { OperationsBackfill, Session } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/stream.ts";
import { ForEngineers } from "../../parts/copy.tsx";
import { Age } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { Phone } from "../../parts/watch.tsx";
import { useLoad, useRefresh } from "../../state/load.ts";
import { formatTime } from "../../words/formats.ts";
import { operationsWords } from "../../words/operations.ts";

/** A phone is silent after hours, so this is often enough. */
const REFRESH_MS = 15_000;

const TONES: Readonly<Record<string, "good" | "plain" | "warn" | "bad">> = {
  healthy: "good",
  connecting: "plain",
  stale: "warn",
};

interface State {
  readonly sessions: readonly Session[];
  readonly backfills: readonly OperationsBackfill[];
}

/** The phones that listen and send, and whether what they missed was fetched. */
export function PhonesTab() {
  const load = useLoad([], readState);
  useRefresh(load.reload, REFRESH_MS);
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      if (events.some(isAboutPhones)) load.reload();
    }, []),
  );
  return (
    <WhenLoaded load={load} rows={3}>
      {({ sessions, backfills }) => (
        <>
          <Phones sessions={sessions} />
          <Backfills backfills={backfills} sessions={sessions} />
        </>
      )}
    </WhenLoaded>
  );
}

async function readState(signal: AbortSignal): Promise<State> {
  const [{ items: sessions }, { backfills }] = await Promise.all([
    api.listSessions({}, { signal }),
    api.getOperations({}, { signal }),
  ]);
  return { sessions, backfills };
}

function isAboutPhones({ event }: LiveEvent): boolean {
  return event === "session.changed" || event === "reconnected";
}

function Phones({ sessions }: Pick<State, "sessions">) {
  return (
    <Section title={operationsWords.sessions}>
      <p class="soft">{operationsWords.sessionsHint}</p>
      {sessions.length === 0 ? (
        <Empty title={operationsWords.noSessions}>
          <p class="soft">{operationsWords.noSessionsHint}</p>
          <a class="button" href="/start">
            {operationsWords.connect}
          </a>
        </Empty>
      ) : (
        <Table
          caption={operationsWords.sessionsCaption}
          columns={PHONE_COLUMNS}
          rows={sessions}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  );
}

/** A phone has its name here too; the service knows it by that of the gateway only. */
function Backfills({ backfills, sessions }: State) {
  const nameOf = (name: string): string =>
    sessions.find(({ gateway_name }) => gateway_name === name)?.label ?? name;
  const columns: readonly Column<OperationsBackfill>[] = [
    {
      id: "session",
      title: operationsWords.session,
      isWide: true,
      cell: ({ session_name, last_error }) => (
        <>
          <div class="cut">
            <bdi>{nameOf(session_name)}</bdi>
          </div>
          {last_error === undefined ? null : <div class="sub wrap">{last_error}</div>}
        </>
      ),
    },
    ...FETCHED,
  ];
  return (
    <Section title={operationsWords.backfill}>
      {backfills.length === 0 ? (
        <>
          <p class="soft">{operationsWords.noBackfill}</p>
          <ForEngineers>
            <p class="soft">{operationsWords.noBackfillSetting}</p>
          </ForEngineers>
        </>
      ) : (
        <Table
          caption={operationsWords.backfillCaption}
          columns={columns}
          rows={backfills}
          keyOf={({ session_name }) => session_name}
        />
      )}
    </Section>
  );
}

const PHONE_COLUMNS: readonly Column<Session>[] = [
  {
    id: "session",
    title: operationsWords.session,
    isWide: true,
    cell: ({ label, gateway_name, phone_number, role }) => (
      <>
        <div class="cut">
          <bdi>{label ?? gateway_name}</bdi>
        </div>
        <div class="sub facts">
          {phone_number === undefined ? null : <Phone number={phone_number} />}
          <span>{operationsWords.roleOf(role)}</span>
        </div>
      </>
    ),
  },
  {
    id: "health",
    title: operationsWords.health,
    cell: ({ health_state }) => (
      <Tag tone={TONES[health_state] ?? "bad"}>{operationsWords.healthOf(health_state)}</Tag>
    ),
  },
  {
    id: "last",
    title: operationsWords.lastMessage,
    isNumber: true,
    cell: ({ last_message_at_ms }) =>
      last_message_at_ms === undefined ? (
        <span class="soft">{operationsWords.never}</span>
      ) : (
        <Age atMs={last_message_at_ms} />
      ),
  },
];

const FETCHED: readonly Column<OperationsBackfill>[] = [
  {
    id: "state",
    title: operationsWords.health,
    cell: (backfill) => <FetchState {...backfill} />,
  },
  {
    id: "fetched",
    title: operationsWords.fetched,
    isNumber: true,
    cell: ({ fetched_at_ms }) =>
      fetched_at_ms === undefined ? operationsWords.notFetched : <Age atMs={fetched_at_ms} />,
  },
];

function FetchState({ is_fine, failing_since_ms, failing_count, retry_at_ms }: OperationsBackfill) {
  if (is_fine) return <Tag tone="good">{operationsWords.complete}</Tag>;
  return (
    <>
      <Tag tone="warn">{operationsWords.failing}</Tag>
      <div class="sub facts">
        {failing_since_ms === undefined ? null : (
          <span>
            {operationsWords.failingSince} {formatTime(failing_since_ms)}
          </span>
        )}
        <span>{operationsWords.chats(failing_count)}</span>
        {retry_at_ms === undefined ? null : (
          <span>
            {operationsWords.nextTry} {formatTime(retry_at_ms)}
          </span>
        )}
      </div>
    </>
  );
}
