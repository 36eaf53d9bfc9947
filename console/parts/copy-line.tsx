import { CopyButton } from "./copy-button.tsx";

/** A command or an address in one line, with a button that copies it. */
export function CopyLine({ text }: { readonly text: string }) {
  return (
    <div class="copy-line">
      <code>{text}</code>
      <CopyButton text={text} name={text} />
    </div>
  );
}
