import { dismissToast, toasts } from "../state/toasts.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

/** Always in the document, because a screen reader announces only what changes in a region that it knows. */
export function ToastList() {
  return (
    <section class="toasts" aria-label={words.toast.label} aria-live="polite">
      {toasts.value.map(({ id, text, isBad, undo }) => (
        <div key={id} class={isBad ? "toast bad" : "toast"}>
          <span>{text}</span>
          {undo === undefined ? (
            <Button onPress={() => dismissToast(id)}>{words.toast.dismiss}</Button>
          ) : (
            <Button onPress={undo} hotkey="z">
              {words.toast.undo}
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}
