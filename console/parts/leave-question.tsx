import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { guardLeaving } from "../router.ts";
import { words } from "../words/words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** Asks before unsaved changes are lost: here on the way to another page, and as the browser does on the way out of it. */
export function LeaveQuestion({ isDirty }: { readonly isDirty: ReadonlySignal<boolean> }) {
  const leave = useSignal<(() => void) | undefined>(undefined);
  const hasChanges = isDirty.value;
  useEffect(() => {
    if (!hasChanges) return undefined;
    const onUnload = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", onUnload);
    const end = guardLeaving((go) => {
      // They may have been saved since the page was last drawn.
      if (isDirty.peek()) leave.value = go;
      else go();
    });
    return () => {
      removeEventListener("beforeunload", onUnload);
      end();
    };
  }, [hasChanges]);
  if (leave.value === undefined) return null;
  return (
    <ConfirmDialog
      title={words.leave.title}
      action={words.leave.leave}
      cancel={words.leave.stay}
      isLoss
      onConfirm={leave.value}
      onClose={() => {
        leave.value = undefined;
      }}
    >
      <p class="soft">{words.leave.hint}</p>
    </ConfirmDialog>
  );
}
