import { words } from "../words/words.ts";
import { referencePath } from "./reference-path.ts";

/** Leads from a watch to what its reference is worth. */
export function ReferenceLink(props: {
  readonly watch: { readonly reference?: string; readonly brand?: string };
}) {
  const { reference, brand } = props.watch;
  if (reference === undefined) return null;
  return (
    <div class="sub">
      <a href={referencePath({ reference, brand })}>{words.palette.openReference(reference)}</a>
    </div>
  );
}
