/** One dealer: what is on offer below market, how often that was a buy, and what the desk knows. */
import { useSignal } from "@preact/signals";
import type { CallOptions, Contact } from "../../../client/assay-client.ts";
import { api, readTagged, toFailure } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Age } from "../../parts/figures.tsx";
import { PageHeading, ScrollArea, Section } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { toDealerChatUrl } from "../../parts/watch/prepared-message.ts";
import { DealerCountry, DealerName, Phone } from "../../parts/watch.tsx";
import { type Load, useLoad } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { canWrite } from "../../state/session.ts";
import { offerUndo, showToast, tellFailure } from "../../state/toasts.ts";
import { dealersWords } from "../../words/dealers.ts";
import { formatCount, hidePhones } from "../../words/formats.ts";
import { words } from "../../words/words.ts";
import { DealerAsks } from "./dealer-asks.tsx";
import { DealerDeals } from "./dealer-deals.tsx";

const NOTE_MAX = 2_000;
const GROUPS_SHOWN = 8;

/** With its version, so that the note of someone else is not overwritten unseen. */
type KnownContact = Contact & { readonly etag: string | undefined };

export function DealerPage({ id }: { readonly id: string }) {
  const load = useLoad([id], (signal) =>
    readVersion((options) => api.getContact({ contact_id: id }, { ...options, signal })),
  );
  const { value, failure } = load.state.value;
  const isMissing = failure?.kind === "missing" || failure?.code === "invalid_payload";
  if (value === undefined && isMissing) {
    return (
      <div class="page">
        <PageHeading title={dealersWords.missing} />
        <Empty title={dealersWords.missingHint}>
          <a class="button" href="/dealers">
            {dealersWords.back}
          </a>
        </Empty>
      </div>
    );
  }
  return (
    <ScrollArea name="dealer" label={words.pages.dealer}>
      <div class="page dealer">
        {value === undefined ? <PageHeading title={words.pages.dealer} /> : null}
        <WhenLoaded load={load}>
          {(contact) => (
            <>
              <Head contact={contact} load={load} />
              {contact.is_blocked ? <p class="notice">{dealersWords.isBlocked}</p> : null}
              <Figures contact={contact} />
              <div class="dealer-columns">
                <div class="dealer-main">
                  <DealerAsks contactId={contact.id} />
                </div>
                <div class="dealer-side">
                  {canWrite.value ? <Note contact={contact} load={load} /> : null}
                  <DealerDeals contactId={contact.id} />
                  <Groups contact={contact} />
                </div>
              </div>
            </>
          )}
        </WhenLoaded>
      </div>
    </ScrollArea>
  );
}

function Head({
  contact,
  load,
}: {
  readonly contact: KnownContact;
  readonly load: Load<KnownContact>;
}) {
  const name = nameOf(contact);
  const others = contact.names.filter((each) => each !== contact.display_name);
  const numbers = contact.phone_numbers;
  return (
    <header class="dealer-head">
      <div>
        <a class="quiet" href="/dealers">
          {dealersWords.back}
        </a>
        <div class="row">
          <PageHeading title={name}>
            <DealerName sender={contact} />
          </PageHeading>
          {contact.is_own ? <Tag>{dealersWords.own}</Tag> : null}
          {contact.is_blocked ? <Tag tone="warn">{dealersWords.blocked}</Tag> : null}
        </div>
        <div class="sub facts">
          <DealerCountry callingCode={contact.country_prefix} isLong />
          {numbers.map((number) => (
            <Phone key={number} number={number} />
          ))}
          {others.length === 0 ? null : <bdi>{dealersWords.also(others.map(show).join(", "))}</bdi>}
          <Seen label={dealersWords.firstSeen} atMs={contact.first_seen_at_ms} />
          <Seen label={dealersWords.lastSeen} atMs={contact.last_seen_at_ms} />
        </div>
      </div>
      <div class="row">
        <Write contact={contact} />
        <Block contact={contact} load={load} />
      </div>
    </header>
  );
}

function Seen({ label, atMs }: { readonly label: string; readonly atMs: number | undefined }) {
  if (atMs === undefined) return null;
  return (
    <span>
      {label} <Age atMs={atMs} />
    </span>
  );
}

/** The address has the number, so there is no link in presenter mode. */
function Write({ contact }: { readonly contact: Contact }) {
  const url = toDealerChatUrl(contact);
  if (isPresenting.value) return null;
  if (url === undefined) return <span class="sub">{dealersWords.noNumber}</span>;
  return (
    <a class="button main" href={url} target="_blank" rel="noreferrer">
      {dealersWords.write}
    </a>
  );
}

/** Blocking hides watches from the whole desk, so it asks; taking it back does not. */
function Block({
  contact,
  load,
}: {
  readonly contact: KnownContact;
  readonly load: Load<KnownContact>;
}) {
  const isAsking = useSignal(false);
  const name = nameOf(contact);
  const send = async (isBlocked: boolean): Promise<void> => {
    const changed = await readVersion((options) =>
      api.changeContact({ contact_id: contact.id, is_blocked: isBlocked }, options),
    );
    load.change(() => changed);
    const undo = (): void => void send(!isBlocked).catch(tellFailure);
    offerUndo(isBlocked ? dealersWords.didBlock(name) : dealersWords.didUnblock(name), undo);
  };
  return (
    <>
      <Button
        isWrite
        onPress={() => {
          if (contact.is_blocked) send(false).catch(tellFailure);
          else isAsking.value = true;
        }}
      >
        {contact.is_blocked ? dealersWords.unblock : dealersWords.block}
      </Button>
      {isAsking.value ? (
        <ConfirmDialog
          title={dealersWords.blockTitle(name)}
          action={dealersWords.block}
          onConfirm={() => send(true)}
          onClose={() => {
            isAsking.value = false;
          }}
        >
          <p>{dealersWords.blockMeans}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function Figures({ contact }: { readonly contact: Contact }) {
  const { figureHints } = dealersWords;
  const figures = [
    [dealersWords.onOffer, contact.on_offer_count, figureHints.onOffer],
    [dealersWords.buys, contact.buy_count_90d, ""],
    [dealersWords.reposts, contact.repost_count_90d, figureHints.reposts],
    [dealersWords.drops, contact.price_drop_count_90d, figureHints.drops],
    ...(contact.deal_count === undefined
      ? []
      : [[dealersWords.deals, contact.deal_count, figureHints.deals] as const]),
  ] as const;
  return (
    <>
      <dl class="figure-row" aria-label={dealersWords.figures}>
        {figures.map(([title, value, hint]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <b class={title === dealersWords.buys && value > 0 ? "gain" : ""}>
                {formatCount(value)}
              </b>{" "}
              <span class="sub">{hint}</span>
            </dd>
          </div>
        ))}
      </dl>
      {contact.is_exact ? null : <p class="sub">{dealersWords.partial}</p>}
    </>
  );
}

function Note({
  contact,
  load,
}: {
  readonly contact: KnownContact;
  readonly load: Load<KnownContact>;
}) {
  const draft = useSignal<string | undefined>(undefined);
  const save = async (): Promise<void> => {
    const note = (draft.value ?? "").trim();
    const change = { contact_id: contact.id, note };
    const condition = contact.etag === undefined ? {} : { if_match: contact.etag };
    try {
      const changed = await readVersion((options) =>
        api.changeContact({ ...change, ...condition }, options),
      );
      load.change(() => changed);
    } catch (error) {
      // The question stays open with what was typed, above the note that stands now. Saved again, it replaces that one.
      if (toFailure(error).code === "precondition_failed") load.reload();
      throw error;
    }
    showToast(dealersWords.noteSaved);
  };
  const hasNote = contact.note !== undefined && contact.note !== "";
  return (
    <Section title={dealersWords.note}>
      {hasNote ? (
        <p class="dealer-note">
          <bdi>{contact.note}</bdi>
        </p>
      ) : (
        <p class="soft">{dealersWords.noNote}</p>
      )}
      <Button
        isWrite
        onPress={() => {
          draft.value = contact.note ?? "";
        }}
      >
        {hasNote ? dealersWords.editNote : dealersWords.addNote}
      </Button>
      {draft.value === undefined ? null : (
        <ConfirmDialog
          title={dealersWords.note}
          action={dealersWords.save}
          onConfirm={save}
          onClose={() => {
            draft.value = undefined;
          }}
        >
          <textarea
            class="field"
            rows={5}
            maxLength={NOTE_MAX}
            aria-label={dealersWords.note}
            value={draft.value}
            onInput={(event) => {
              draft.value = event.currentTarget.value;
            }}
          />
          <p class="sub">{dealersWords.noteHint}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function Groups({ contact: { groups } }: { readonly contact: Contact }) {
  const rest = groups.slice(GROUPS_SHOWN);
  return (
    <Section title={dealersWords.groups} note={formatCount(groups.length)}>
      {groups.length === 0 ? <p class="soft">{dealersWords.noGroups}</p> : null}
      <GroupList groups={groups.slice(0, GROUPS_SHOWN)} />
      {rest.length === 0 ? null : (
        <details class="fold">
          <summary>{dealersWords.groupsMore(rest.length)}</summary>
          <GroupList groups={rest} />
        </details>
      )}
    </Section>
  );
}

function GroupList({ groups }: Pick<Contact, "groups">) {
  return (
    <ul class="plain-list">
      {groups.map(({ id, name, message_count }) => (
        <li key={id}>
          <a href={`/market?group_id=${id}`}>
            <bdi>{name ?? words.group.unnamed}</bdi>
          </a>
          <span class="sub">{dealersWords.posts(formatCount(message_count))}</span>
        </li>
      ))}
    </ul>
  );
}

function nameOf({ display_name, phone_number }: Contact): string {
  const number = phone_number === undefined ? words.dealer.unknown : `+${phone_number}`;
  return show(display_name ?? number);
}

function show(name: string): string {
  return isPresenting.value ? hidePhones(name) : name;
}

async function readVersion(
  call: (options: Pick<CallOptions, "onAnswer">) => Promise<Contact>,
): Promise<KnownContact> {
  const { value: contact, etag } = await readTagged(call);
  return { ...contact, etag };
}
