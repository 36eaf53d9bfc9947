import type { Session } from "../../../client/assay-client.ts";
import { Age } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { Empty } from "../../parts/states.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { Phone } from "../../parts/watch.tsx";
import { operationsWords } from "../../words/operations.ts";

const TONES: Readonly<Record<string, "good" | "plain" | "warn" | "bad">> = {
  healthy: "good",
  connecting: "plain",
  stale: "warn",
};

/** The phones that listen and send. */
export function SessionSection({ sessions }: { readonly sessions: readonly Session[] }) {
  return (
    <Section title={operationsWords.sessions}>
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
          columns={COLUMNS}
          rows={sessions}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<Session>[] = [
  {
    id: "session",
    title: operationsWords.session,
    isWide: true,
    cell: ({ label, gateway_name, phone_number, role, engine }) => (
      <>
        <div class="cut">
          <bdi>{label ?? gateway_name}</bdi>
        </div>
        <div class="sub facts">
          {label === undefined ? null : <bdi>{gateway_name}</bdi>}
          {phone_number === undefined ? null : <Phone number={phone_number} />}
          <span>{operationsWords.roleOf(role)}</span>
          {engine === undefined ? null : <span>{engine}</span>}
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
