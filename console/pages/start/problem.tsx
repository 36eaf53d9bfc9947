import type { ReadonlySignal } from "@preact/signals";

/** What the service said against an action; nothing if all is well. */
export function Problem({ of }: { readonly of: ReadonlySignal<string | undefined> }) {
  if (of.value === undefined) return null;
  return (
    <p class="problem" role="alert">
      {of.value}
    </p>
  );
}
