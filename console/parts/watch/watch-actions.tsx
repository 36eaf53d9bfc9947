/** What the desk does with a watch: buttons, their keys, and what was decided. Each action can be undone for five seconds. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { DealMark } from "../../../client/assay-client.ts";
import { navigate } from "../../router.ts";
import { useKeys } from "../../state/commands.ts";
import { isPresenting } from "../../state/preferences.ts";
import { canWrite } from "../../state/session.ts";
import { showToast, tellFailure } from "../../state/toasts.ts";
import { watchWords } from "../../words/watch.ts";
import { Button, Kbd } from "../button.tsx";
import { AmountDialog, NoteDialog, PassDialog } from "./deal-dialogs.tsx";
import {
  type ActedWatch,
  type DealChange,
  decideAndTell,
  decideOrThrow,
  type OnDecided,
} from "./decide.ts";
import { toChatUrl } from "./prepared-message.ts";

export interface WatchActionsProps {
  readonly watch: ActedWatch;
  readonly onDecided: OnDecided;
  /** Opens the correction. By default that is on the page of the listing. */
  readonly onCorrect?: () => void;
  /** Called at once, before the service has answered. For what a dialog decides: afterwards, because the dialog stays if it fails. */
  readonly onSend?: (change: DealChange) => void;
  /** What a page adds to the buttons. */
  readonly children?: ComponentChildren;
  /** False where other actions have the keys, such as those for several rows. */
  readonly hasKeys?: boolean;
}

interface OpenDialog {
  readonly name: "offered" | "bought" | "pass" | "note";
  /** As it was when the dialog was opened: that is what the reader decides on, whatever the page hears meanwhile. */
  readonly watch: ActedWatch;
}

const NO_KEYS = [] as const;

/** The address of a listing where its correction is open. */
function correctionPath(listingId: string): string {
  return `/listings/${listingId}?do=correct`;
}

/** The buttons of a watch with their keys. A token that may not decide sees the link to the chat only. */
export function WatchActions(props: WatchActionsProps) {
  const { watch, hasKeys = true } = props;
  const dialog = useSignal<OpenDialog | undefined>(undefined);
  const chat = useRef<HTMLAnchorElement>(null);
  const acting = toActing(props, dialog, chat);
  const latest = useRef(acting);
  latest.current = acting;
  const mayWrite = canWrite.value;
  const isWanted = watch.listing.side === "want_to_buy";
  useKeys(
    useMemo(() => {
      if (!hasKeys) return NO_KEYS;
      const write = { key: "w", label: watchWords.write, run: () => latest.current.write() };
      return mayWrite ? [write, ...keysOf(latest, isWanted)] : [write];
    }, [mayWrite, hasKeys, isWanted]),
  );
  const close = (): void => {
    dialog.value = undefined;
  };
  const opened = dialog.value;
  return (
    <fieldset class="watch-actions" aria-label={watchWords.actions}>
      <div class="actions-main">
        <ChatLink watch={watch} chat={chat} onPress={acting.contact} />
        <Button isWrite hotkey="s" onPress={acting.shortlist}>
          {watchWords.shortlist}
        </Button>
        <Button isWrite hotkey="p" onPress={acting.pass}>
          {watchWords.pass}
        </Button>
      </div>
      <div class="actions-more">
        {isWanted ? null : (
          <>
            <Button isWrite hotkey="o" onPress={acting.open("offered")}>
              {watchWords.offered}
            </Button>
            <Button isWrite hotkey="b" onPress={acting.open("bought")}>
              {watchWords.bought}
            </Button>
          </>
        )}
        <Button isWrite hotkey="n" onPress={acting.open("note")}>
          {watchWords.note}
        </Button>
        <Button isWrite hotkey="c" onPress={acting.correct}>
          {watchWords.correct}
        </Button>
        {props.children}
      </div>
      {opened === undefined ? null : (
        <DecisionDialog opened={opened} acting={acting} onClose={close} />
      )}
    </fieldset>
  );
}

function DecisionDialog(props: {
  readonly opened: OpenDialog;
  readonly acting: ReturnType<typeof toActing>;
  readonly onClose: () => void;
}) {
  const { opened, acting, onClose } = props;
  const { name, watch } = opened;
  const onDecide = (change: DealChange): Promise<void> => acting.decide(opened, change);
  const shared = { watch, onDecide, onClose };
  if (name === "pass") return <PassDialog {...shared} onMisread={acting.correct} />;
  if (name === "note") return <NoteDialog {...shared} />;
  return <AmountDialog {...shared} state={name} />;
}

/** Opens a chat with the message typed in. The address has the number, so there is no link in presenter mode. */
function ChatLink(props: {
  readonly watch: ActedWatch;
  readonly chat: { current: HTMLAnchorElement | null };
  readonly onPress: () => void;
}) {
  const { listing, deal } = props.watch;
  const url = toChatUrl(listing, deal?.state === "offered" ? deal.offer : undefined);
  if (isPresenting.value) return null;
  if (url === undefined) return <span class="soft">{watchWords.noNumber}</span>;
  return (
    <a
      ref={props.chat}
      class="button main"
      href={url}
      target="_blank"
      rel="noreferrer"
      onClick={props.onPress}
    >
      {watchWords.write}
      <Kbd name="w" />
    </a>
  );
}

function toActing(
  props: WatchActionsProps,
  dialog: { value: OpenDialog | undefined },
  chat: { readonly current: HTMLAnchorElement | null },
) {
  const { watch, onDecided } = props;
  const { listing, deal } = watch;
  const act = (change: DealChange) => (): void => {
    props.onSend?.(change);
    decideAndTell(watch, change, onDecided).catch(tellFailure);
  };
  const isFurther = deal?.state === "offered" || deal?.state === "bought";
  return {
    decide: async (opened: OpenDialog, change: DealChange): Promise<void> => {
      const onBeaten = (now: DealMark | undefined): void => {
        // It may have been closed meanwhile.
        if (dialog.value !== opened) return;
        dialog.value = { ...opened, watch: { ...opened.watch, deal: now } };
      };
      await decideOrThrow(opened.watch, change, { onDecided, onBeaten });
      props.onSend?.(change);
    },
    write: () => {
      if (chat.current === null) showToast(watchWords.noNumber);
      else chat.current.click();
    },
    /** A chat about an offer or a bought watch takes nothing back. */
    contact: () => {
      if (canWrite.value && !isFurther && deal?.state !== "contacted") {
        act({ state: "contacted" })();
      }
    },
    shortlist: act({ state: "shortlisted" }),
    /** At once, because passing is what is done most; the reason can be said after it, or with a capital P. */
    pass: act({ state: "passed", reason: "other" }),
    open: (name: OpenDialog["name"]) => (): void => {
      dialog.value = { name, watch };
    },
    correct: props.onCorrect ?? (() => navigate(correctionPath(listing.id))),
  };
}

/** What someone looks for is not bought from them. */
function keysOf(latest: { readonly current: ReturnType<typeof toActing> }, isWanted: boolean) {
  const open = (name: OpenDialog["name"]) => (): void => latest.current.open(name)();
  const buying = [
    { key: "o", label: watchWords.offered, run: open("offered") },
    { key: "b", label: watchWords.bought, run: open("bought") },
  ];
  return [
    { key: "s", label: watchWords.shortlist, run: () => latest.current.shortlist() },
    ...(isWanted ? [] : buying),
    { key: "p", label: watchWords.pass, run: () => latest.current.pass() },
    { key: "P", label: watchWords.passWhy, run: open("pass") },
    { key: "n", label: watchWords.note, run: open("note") },
    { key: "c", label: watchWords.correct, run: () => latest.current.correct() },
  ];
}
