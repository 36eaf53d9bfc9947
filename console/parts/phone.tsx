import { isPresenting } from "../state/preferences.ts";
import { words } from "../words/words.ts";

/** The one way to show a phone number: digits without `+`, as the service has them. */
export function Phone({ number }: { readonly number: string | undefined }) {
  if (number === undefined) return null;
  if (isPresenting.value) {
    return (
      <span class="phone">
        <span aria-hidden="true">•••</span>
        <span class="sr">{words.presenter.hidden}</span>
      </span>
    );
  }
  return <span class="phone">+{number}</span>;
}
