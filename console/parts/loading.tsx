import { words } from "../words/words.ts";

/** Holds the place of rows that are still read, so that nothing jumps when they come. */
export function Loading({ rows = 8 }: { readonly rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="sr">{words.states.loading}</span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} class="loading-row" aria-hidden="true" />
      ))}
    </div>
  );
}
