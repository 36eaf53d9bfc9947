/**
 * What the editor holds: the alert as it was read, the draft, and what became of saving it.
 *
 * The draft follows changes elsewhere as long as the reader has changed nothing. After that it stays, and saving it sends the
 * tag of what was read: if the alert has changed meanwhile, the reader decides.
 */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Alert, AnswerFacts } from "../../../client/assay-client.ts";
import { api, type Failure, readTagged, toFailure, toIfMatch } from "../../api.ts";
import { isSameJson } from "../../filters/filter.ts";
import { settleAmounts } from "../../parts/amounts.ts";
import { navigate } from "../../router.ts";
import { showToast } from "../../state/toasts.ts";
import { alertsWords } from "../../words/alerts.ts";
import { type AlertDraft, toBody, toDraft, toPatch } from "./alert-draft.ts";

/** An alert as the service has it, with the tag that says which version was read. */
export interface StoredAlert {
  readonly alert: Alert;
  readonly etag: string | undefined;
}

interface SavedAlert extends StoredAlert {
  readonly warnings: readonly string[];
}

export interface AlertEditing {
  /** As it was read or saved last; undefined for one that is not saved yet. */
  readonly stored: ReadonlySignal<Alert | undefined>;
  readonly draft: Signal<AlertDraft>;
  readonly isDirty: ReadonlySignal<boolean>;
  readonly failure: ReadonlySignal<Failure | undefined>;
  readonly isSaving: ReadonlySignal<boolean>;
  readonly change: (part: Partial<AlertDraft>) => void;
  readonly save: () => Promise<void>;
  /** Saves also what was changed elsewhere. */
  readonly overwrite: () => Promise<void>;
  /** Drops the draft: the alert is deleted, so there is nothing left to lose. */
  readonly drop: () => void;
  /** Drops the draft, and shows what is stored now. */
  readonly revert: () => Promise<void>;
}

/** What saving warned of, by alert: a new alert gets a page of its own, where this is shown. */
export const saveWarnings = signal<{ readonly id: string; readonly texts: readonly string[] }>({
  id: "",
  texts: [],
});

export function useAlertEditing(
  stored: StoredAlert | undefined,
  initial: AlertDraft,
  /** Called with the id of a new alert, before its page is opened. */
  afterCreate: (id: string) => Promise<void>,
): AlertEditing {
  const editing = useMemo(() => createEditing(stored, initial, afterCreate), []);
  useEffect(() => editing.follow(stored), [stored?.etag]);
  return editing;
}

export async function readAlert(id: string, signal?: AbortSignal): Promise<StoredAlert> {
  const { value: alert, etag } = await readTagged((options) =>
    api.getAlert({ alert_id: id }, { ...(signal === undefined ? {} : { signal }), ...options }),
  );
  return { alert, etag };
}

function createEditing(
  first: StoredAlert | undefined,
  initial: AlertDraft,
  afterCreate: (id: string) => Promise<void>,
) {
  const base = signal({ stored: first, draft: initial });
  const draft = signal(initial);
  const isDirty = computed(() => !isSameJson(plain(draft.value), plain(base.value.draft)));
  const failure = signal<Failure | undefined>(undefined);
  const isSaving = signal(false);
  const adopt = (stored: StoredAlert): void => {
    base.value = { stored, draft: toDraft(stored.alert) };
    draft.value = base.value.draft;
  };
  const attempt = async (write: () => Promise<void>): Promise<void> => {
    if (isSaving.value) return;
    isSaving.value = true;
    failure.value = undefined;
    try {
      await write();
    } catch (error) {
      failure.value = toFailure(error);
    }
    isSaving.value = false;
  };
  const send = async (etag: string | undefined): Promise<void> => {
    // What was typed last, as a price of the filter, belongs to the draft.
    await settleAmounts(document.body);
    const { stored } = base.value;
    const saved = await saveAlert(draft.value, stored?.alert, etag);
    if (saved === undefined) {
      showToast(alertsWords.unchanged);
      return;
    }
    adopt(saved);
    saveWarnings.value = { id: saved.alert.id, texts: saved.warnings };
    showToast(describeSaved(saved.alert, stored === undefined));
    if (stored !== undefined) return;
    await afterCreate(saved.alert.id);
    navigate(`/alerts/${saved.alert.id}`, { isReplacing: true });
  };
  const readAgain = (): Promise<StoredAlert | undefined> => {
    const { stored } = base.value;
    return stored === undefined ? Promise.resolve(undefined) : readAlert(stored.alert.id);
  };
  return {
    stored: computed(() => base.value.stored?.alert),
    draft,
    isDirty,
    failure,
    isSaving,
    change: (part: Partial<AlertDraft>) => {
      draft.value = { ...draft.value, ...part };
    },
    save: () => attempt(() => send(base.value.stored?.etag)),
    overwrite: () =>
      attempt(async () => {
        const now = await readAgain();
        // Every member is compared with what is stored now, and the draft stays.
        if (now !== undefined) base.value = { stored: now, draft: toDraft(now.alert) };
        await send(now?.etag);
      }),
    revert: () =>
      attempt(async () => {
        const now = await readAgain();
        if (now !== undefined) adopt(now);
      }),
    drop: () => {
      draft.value = base.value.draft;
    },
    follow: (stored: StoredAlert | undefined) => {
      if (stored !== undefined && !isDirty.peek()) adopt(stored);
    },
  };
}

/** JSON knows no undefined. */
function plain(draft: AlertDraft): object {
  return { ...draft, viewId: draft.viewId ?? null };
}

function describeSaved({ name, enabled }: Alert, isNew: boolean): string {
  if (!isNew) return alertsWords.saved(name);
  return enabled ? alertsWords.created(name) : alertsWords.createdOff(name);
}

/** Creates the alert, or changes what differs from `stored`. Returns undefined if nothing does. */
async function saveAlert(
  draft: AlertDraft,
  stored: Alert | undefined,
  etag: string | undefined,
): Promise<SavedAlert | undefined> {
  const facts = noteFacts();
  const write = async (): Promise<Alert | undefined> => {
    if (stored === undefined) return await api.createAlert(toBody(draft), facts.options);
    const patch = toPatch(draft, stored);
    if (patch === undefined) return undefined;
    const call = { alert_id: stored.id, ...toIfMatch(etag), ...patch };
    return await api.changeAlert(call, facts.options);
  };
  const alert = await write();
  return alert === undefined
    ? undefined
    : { alert, etag: facts.etag(), warnings: facts.warnings() };
}

/** What stands in the headers of the answer. */
function noteFacts() {
  let facts: AnswerFacts | undefined;
  return {
    options: {
      onAnswer: (answer: AnswerFacts) => {
        facts = answer;
      },
    },
    etag: () => facts?.etag,
    warnings: () => facts?.warnings ?? [],
  };
}
