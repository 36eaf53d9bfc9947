import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { toCsvLine } from "../../client/csv.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

const ROWS_MAX = 24;
/** The browser reads the file after the click, at its own time. */
const READ_MS = 60_000;

/** A command or an address in one line, with a button that copies it. */
export function CopyLine({ text }: { readonly text: string }) {
  return (
    <div class="copy-line">
      <code>{text}</code>
      <CopyButton text={text} name={text} />
    </div>
  );
}

/** What only the person who runs Assay needs: settings and commands. */
export function ForEngineers(props: {
  /** True where nothing goes on without it. */
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="fold" open={props.isOpen}>
      <summary>{words.engineers}</summary>
      <div class="stack">{props.children}</div>
    </details>
  );
}

/** A text of some lines with its name and a button that copies it. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const id = useId();
  return (
    <div class="copy-text">
      <div class="row">
        <label for={id}>{label}</label>
        <CopyButton text={text} name={label} />
      </div>
      <textarea
        id={id}
        class="field json"
        readOnly
        rows={Math.min(ROWS_MAX, text.split("\n").length + 1)}
        value={text}
      />
    </div>
  );
}

/** Saves a file where the browser puts downloads. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}

/** Rows as a CSV file. */
export function toCsv(
  columns: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): Blob {
  return new Blob([columns, ...rows].map(toCsvLine), { type: "text/csv" });
}

/** Copies a text. What became of it stands before the button, for screen readers too. */
function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
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
