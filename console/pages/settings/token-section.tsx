import { useSignal } from "@preact/signals";
import type { Token } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Age } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { usePages } from "../../state/load.ts";
import { formatTime } from "../../words/formats.ts";
import { settingsWords } from "../../words/settings.ts";
import { trade } from "../../words/trade.ts";
import { words } from "../../words/words.ts";
import { ChangeTokenDialog, NewTokenDialog, RevokeDialog } from "./token-dialogs.tsx";

const PAGE_ROWS = 20;

const FACTS: readonly Column<Token>[] = [
  {
    id: "token",
    title: settingsWords.token,
    isWide: true,
    cell: (token) => (
      <>
        <div class="token-name">
          <b class={isOver(token) ? "soft two-lines" : "two-lines"} title={token.name}>
            <bdi>{token.name}</bdi>
          </b>
          <Marks token={token} />
        </div>
        <div class="sub facts">
          <Used token={token} />
          {token.expires_at_ms === undefined ? null : (
            <span>
              {settingsWords.expires} {formatTime(token.expires_at_ms)}
            </span>
          )}
        </div>
      </>
    ),
  },
  {
    id: "created",
    title: settingsWords.created,
    isNumber: true,
    isOptional: true,
    cell: ({ created_at_ms }) => <Age atMs={created_at_ms} />,
  },
];

/** Who may use Assay, and what each may do. */
export function TokenSection() {
  const { load, more } = usePages([], (cursor, options) =>
    api.listTokens({ limit: PAGE_ROWS, ...cursor }, options),
  );
  const isCreating = useSignal(false);
  const toRevoke = useSignal<Token | undefined>(undefined);
  const toChange = useSignal<Token | undefined>(undefined);
  return (
    <Section title={settingsWords.tokens}>
      <p class="soft">{settingsWords.tokensHint}</p>
      <WhenLoaded load={load} rows={2}>
        {({ items, next_cursor }) => (
          <>
            <TokenTable
              tokens={items}
              onChange={(token) => {
                toChange.value = token;
              }}
              onRevoke={(token) => {
                toRevoke.value = token;
              }}
            />
            {next_cursor === undefined ? null : <Button onPress={more}>{words.more}</Button>}
          </>
        )}
      </WhenLoaded>
      <div class="row">
        <Button
          isOwners
          onPress={() => {
            isCreating.value = true;
          }}
        >
          {settingsWords.newToken}
        </Button>
      </div>
      {isCreating.value ? (
        <NewTokenDialog
          onCreated={load.reload}
          onClose={() => {
            isCreating.value = false;
          }}
        />
      ) : null}
      {toChange.value === undefined ? null : (
        <ChangeTokenDialog
          token={toChange.value}
          onChanged={load.reload}
          onClose={() => {
            toChange.value = undefined;
          }}
        />
      )}
      {toRevoke.value === undefined ? null : (
        <RevokeDialog
          token={toRevoke.value}
          onRevoked={load.reload}
          onClose={() => {
            toRevoke.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function TokenTable(props: {
  readonly tokens: readonly Token[];
  readonly onChange: (token: Token) => void;
  readonly onRevoke: (token: Token) => void;
}) {
  const columns: readonly Column<Token>[] = [
    ...FACTS,
    {
      id: "revoke",
      title: settingsWords.change,
      isNumber: true,
      cell: (token) =>
        isOver(token) ? null : (
          <div class="row">
            <Button isOwners onPress={() => props.onChange(token)}>
              {settingsWords.changeToken}
              <span class="sr"> {token.name}</span>
            </Button>
            <Button isOwners onPress={() => props.onRevoke(token)}>
              {settingsWords.revoke}
              <span class="sr"> {token.name}</span>
            </Button>
          </div>
        ),
    },
  ];
  return (
    <Table
      caption={settingsWords.tokensCaption}
      columns={columns}
      rows={props.tokens}
      keyOf={({ id }) => id}
    />
  );
}

function Marks({ token }: { readonly token: Token }) {
  return (
    <>
      {token.is_current ? <Tag tone="good">{settingsWords.thisToken}</Tag> : null}
      <Tag>{trade.roles[token.role]}</Tag>
      {token.revoked_at_ms === undefined ? null : <Tag>{settingsWords.revoked}</Tag>}
      {token.revoked_at_ms === undefined && isOver(token) ? (
        <Tag tone="warn">{settingsWords.expired}</Tag>
      ) : null}
    </>
  );
}

function Used({ token: { last_used_at_ms } }: { readonly token: Token }) {
  if (last_used_at_ms === undefined) return <span>{settingsWords.neverUsed}</span>;
  return (
    <span>
      {settingsWords.lastUsed} <Age atMs={last_used_at_ms} />
    </span>
  );
}

function isOver({ revoked_at_ms, expires_at_ms = Number.POSITIVE_INFINITY }: Token): boolean {
  return revoked_at_ms !== undefined || expires_at_ms <= Date.now();
}
