import { useMemo } from "preact/hooks";
import type { AlertPreview } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import type { Filter } from "../../filters/filter.ts";
import { type Load, useLoad } from "../../state/load.ts";
import { useSettled } from "../../state/settled.ts";
import { type AlertDraft, toFilters } from "./alert-draft.ts";

const PAUSE_MS = 300;

/** What the draft would have matched. Asked for once the reader pauses; a question that is not yet answered is dropped. */
export function usePreview(draft: AlertDraft): Preview {
  const text = JSON.stringify({
    strategy: draft.strategy,
    filters: toFilters(draft),
    ...(draft.viewId === undefined ? {} : { view_id: draft.viewId }),
  });
  const asked = useSettled(text, PAUSE_MS);
  const body = useMemo(() => JSON.parse(asked) as PreviewBody, [asked]);
  const load = useLoad([body], async (signal) =>
    isOnMessages(body.filters) ? undefined : await api.previewAlert(body, { signal }),
  );
  return { ...load, isSettled: text === asked };
}

export interface Preview extends Load<AlertPreview | undefined> {
  /** False while what is shown belongs to an earlier draft. */
  readonly isSettled: boolean;
}

interface PreviewBody {
  readonly strategy: AlertDraft["strategy"];
  readonly filters: Filter;
  readonly view_id?: string;
}

/** Messages have no back-test. */
export function isOnMessages(filter: Filter): boolean {
  return filter["resource"] === "messages";
}
