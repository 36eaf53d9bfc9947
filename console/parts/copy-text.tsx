import { useId } from "preact/hooks";
import { CopyButton } from "./copy-button.tsx";

const ROWS_MAX = 24;

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
