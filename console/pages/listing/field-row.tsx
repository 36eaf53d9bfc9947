import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { markHue, markName } from "../../parts/read-marks.ts";
import { listingWords } from "../../words/listing.ts";

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
