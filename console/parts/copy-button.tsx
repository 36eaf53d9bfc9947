import { useSignal } from "@preact/signals";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

/** Copies a text. What became of it stands before the button, for screen readers too. */
export function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const note = useSignal("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      note.value = words.copy.copied;
    } catch {
      // Browsers allow it only on safe origins, such as https and this machine.
      note.value = words.copy.failed;
    }
  };
  return (
    <>
      <span class="sub" role="status">
        {note.value}
      </span>
      <Button onPress={() => copy().catch(reportError)}>
        {words.copy.copy}
        <span class="sr"> {name}</span>
      </Button>
    </>
  );
}
