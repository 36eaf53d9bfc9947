/** An alert as the service has it, with the tag that says which version was read. */
import type { Alert, AnswerFacts } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { type AlertDraft, toBody, toPatch } from "./alert-draft.ts";

export interface StoredAlert {
  readonly alert: Alert;
  readonly etag: string | undefined;
}

interface SavedAlert extends StoredAlert {
  readonly warnings: readonly string[];
}

export async function readAlert(id: string, signal?: AbortSignal): Promise<StoredAlert> {
  const facts = noteFacts();
  const alert = await api.getAlert(
    { alert_id: id },
    { ...(signal === undefined ? {} : { signal }), ...facts.options },
  );
  return { alert, etag: facts.etag() };
}

/** Creates the alert, or changes what differs from `stored`. Returns undefined if nothing does. */
export async function saveAlert(
  draft: AlertDraft,
  stored: Alert | undefined,
  etag: string | undefined,
): Promise<SavedAlert | undefined> {
  const facts = noteFacts();
  const write = async (): Promise<Alert | undefined> => {
    if (stored === undefined) return await api.createAlert(toBody(draft), facts.options);
    const patch = toPatch(draft, stored);
    if (patch === undefined) return undefined;
    const ifMatch = etag === undefined ? {} : { if_match: etag };
    return await api.changeAlert({ alert_id: stored.id, ...ifMatch, ...patch }, facts.options);
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
