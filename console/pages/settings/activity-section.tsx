import { useSignal } from "@preact/signals";
import type { Activity } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Age } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { useLoad, usePages } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { formatAmount } from "../../words/formats.ts";
import { activityWords, settingsWords } from "../../words/settings.ts";
import { watchWords } from "../../words/watch.ts";
import { words } from "../../words/words.ts";

type Kind = (typeof activityWords.kinds)[number]["id"];

const PAGE_ROWS = 30;
const TOKENS_MAX = 200;
/** A longer text is a note, which stands where it was made. */
const VALUE_LENGTH_MAX = 80;

/** Who changed what, as a dealer would say it, by person and by what it is about. */
export function ActivitySection() {
  const actor = useSignal("");
  const kind = useSignal("");
  const people = useLoad([], (signal) => api.listTokens({ limit: TOKENS_MAX }, { signal }));
  const { load, more } = usePages([actor.value, kind.value], (cursor, options) =>
    api.listActivity(
      {
        limit: PAGE_ROWS,
        ...(actor.value === "" ? {} : { actor: actor.value }),
        ...(kind.value === "" ? {} : { object_kind: kind.value as Kind }),
        ...cursor,
      },
      options,
    ),
  );
  const isAll = actor.value === "" && kind.value === "";
  return (
    <Section title={settingsWords.activity}>
      <p class="soft">{settingsWords.activityHint}</p>
      <div class="row">
        <Choice
          label={settingsWords.actor}
          of={actor}
          any={settingsWords.everyone}
          options={people.state.value.value?.items ?? []}
        />
        <Choice
          label={settingsWords.about}
          of={kind}
          any={settingsWords.everything}
          options={activityWords.kinds}
        />
      </div>
      <WhenLoaded load={load} rows={6}>
        {({ items, next_cursor }) => (
          <>
            {items.length === 0 ? (
              <p class="soft">{isAll ? settingsWords.noActivity : settingsWords.noActivityFits}</p>
            ) : (
              <ol class="activity-log" aria-label={settingsWords.activityCaption}>
                {items.map((row) => (
                  <Row key={row.id} row={row} />
                ))}
              </ol>
            )}
            {next_cursor === undefined ? null : (
              <div class="row">
                <Button onPress={more}>{words.more}</Button>
              </div>
            )}
          </>
        )}
      </WhenLoaded>
    </Section>
  );
}

function Choice(props: {
  readonly label: string;
  readonly of: { value: string };
  readonly any: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
}) {
  return (
    <select
      class="field"
      aria-label={props.label}
      value={props.of.value}
      onChange={(event) => {
        props.of.value = event.currentTarget.value;
      }}
    >
      <option value="">{props.any}</option>
      {props.options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Row({ row }: { readonly row: Activity }) {
  const { actor, at_ms } = row;
  const said = row.changes.map(describeChange).filter((text) => text !== "");
  return (
    <li>
      <div>
        <b>
          <bdi>{nameOf(actor.name)}</bdi>
        </b>{" "}
        {verbOf(row)} <ObjectName row={row} />
        {said.length === 0 ? null : <div class="sub wrap">{said.join(" · ")}</div>}
      </div>
      <span class="sub">
        <Age atMs={at_ms} />
      </span>
    </li>
  );
}

/** What was no person: a command, or Assay itself. */
function nameOf(actor: string): string {
  if (actor === "cli") return settingsWords.ofCommand;
  return actor === "assay" ? settingsWords.ofAssay : actor;
}

function verbOf({ action, object: { kind } }: Activity): string {
  if (kind === "deal") {
    return action === "deleted" ? activityWords.tookBack : activityWords.decided;
  }
  return `${activityWords.action(action)} ${activityWords.object(kind)}`.trim();
}

/** The name of what was changed, as a link where it has a page. */
function ObjectName({ row: { object, action } }: { readonly row: Activity }) {
  const { kind, id, name } = object;
  const isWatch = kind === "deal" || kind === "listing";
  const text = name ?? UNNAMED[kind] ?? "";
  if (text === "") return null;
  const folder = FOLDERS[kind];
  const isThere = folder !== undefined && action !== "deleted" && action !== "erased";
  return isThere || isWatch ? (
    <a href={`/${folder}/${id}`}>
      <bdi>{text}</bdi>
    </a>
  ) : (
    <bdi>{text}</bdi>
  );
}

/** The name stands beside it already; the rest is how the service stores it. */
const UNTOLD: ReadonlySet<string> = new Set(["name", "strategy", "kind", "token", "is_delivered"]);

/** Names of persons are kept nowhere but with the person. */
const UNNAMED: Readonly<Record<string, string>> = {
  deal: activityWords.watch,
  listing: activityWords.watch,
  contact: activityWords.dealer,
};

const FOLDERS: Readonly<Record<string, string>> = {
  deal: "listings",
  listing: "listings",
  contact: "dealers",
  alert: "alerts",
};

/** What a dealer would say. Times, ids, and values that are no text or amount are named only. */
function describeChange({ member, before, after }: Activity["changes"][number]): string {
  if (member.endsWith("_ms") || member.endsWith("_id") || UNTOLD.has(member)) return "";
  if (member === "state" && typeof after === "string") return watchWords.state(after);
  if (member === "reason" && typeof after === "string") return watchWords.reason(after);
  const label = activityWords.member(member);
  const [was, is] = [describeValue(member, before), describeValue(member, after)];
  if (is === undefined) return label;
  return was === undefined ? activityWords.to(label, is) : activityWords.from(label, was, is);
}

function describeValue(member: string, value: unknown): string | undefined {
  const amount = toAmount(member, value);
  if (amount !== undefined) {
    return isPresenting.value ? activityWords.hidden : formatAmount(amount);
  }
  if (typeof value === "boolean") return activityWords.value(String(value));
  if (typeof value === "number") {
    return member.endsWith("_bps") ? `${value / 100}%` : String(value);
  }
  if (typeof value !== "string" || value.length > VALUE_LENGTH_MAX) return undefined;
  return activityWords.value(value);
}

function toAmount(
  member: string,
  value: unknown,
): { readonly minor: number; readonly currency: string } | undefined {
  if (typeof value === "number" && member.endsWith("_eur_minor")) {
    return { minor: value, currency: "EUR" };
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { amount_minor: minor, currency } = value as Readonly<Record<string, unknown>>;
  return typeof minor === "number" && typeof currency === "string"
    ? { minor, currency }
    : undefined;
}
