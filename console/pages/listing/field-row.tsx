import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { TextSpan } from "../../../client/assay-client.ts";
import { markHue, markName } from "../../parts/message-text.tsx";
import { isPresenting } from "../../state/preferences.ts";
import { hidePhones } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";

/** Words of one value are short; a text that was made to have long ones is cut. */
const WORDS_MAX = 120;

/** A row that belongs to words of the text: pointing at it lights them up, and pressing its name goes there. */
export function FieldRow(props: {
  readonly id: string;
  readonly hasWords: boolean;
  readonly active: Signal<readonly string[]>;
  readonly onShow: (id: string) => void;
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const { id, hasWords, active, title } = props;
  const point = (): void => {
    active.value = [id];
  };
  const leave = (): void => {
    active.value = [];
  };
  return (
    <tr
      class={active.value.includes(id) ? "is-active" : ""}
      onMouseEnter={point}
      onMouseLeave={leave}
    >
      <th scope="row">
        {hasWords ? (
          <button
            type="button"
            class={`field-name hue-${markHue([id])}`}
            data-field={id}
            aria-label={listingWords.showWords(markName(id))}
            onFocus={point}
            onBlur={leave}
            onClick={() => props.onShow(id)}
          >
            {title}
          </button>
        ) : (
          title
        )}
      </th>
      {props.children}
    </tr>
  );
}

/** The words of a text at these places. */
export function quote(text: string, spans: readonly TextSpan[]): string {
  const words = spans.map(({ start, end }) => text.slice(start, end)).join(" / ");
  const short = words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)} …` : words;
  return isPresenting.value ? hidePhones(short) : short;
}
