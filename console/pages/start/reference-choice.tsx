import type { Signal } from "@preact/signals";
import type { MarketReference } from "../../../client/assay-client.ts";
import { Amount } from "../../parts/amount.tsx";
import { Tag } from "../../parts/tag.tsx";
import { startWords } from "../../words/start.ts";

const words = startWords.references;

/** References to tick. One that is watched already says so. */
export function ReferenceChoice(props: {
  readonly references: readonly MarketReference[];
  /** The normalized references that are not ticked. */
  readonly left: Signal<ReadonlySet<string>>;
}) {
  const { references, left } = props;
  const toggle = (id: string): void => {
    const next = new Set(left.value);
    if (!next.delete(id)) next.add(id);
    left.value = next;
  };
  return (
    <ul class="choices" aria-label={words.caption}>
      {references.map((one) => {
        const id = one.reference_normalized;
        const isWatched = one.configuration_ids.length > 0;
        return (
          <li key={`${one.brand} ${id}`}>
            <label class="choice-label">
              <input
                type="checkbox"
                disabled={isWatched}
                checked={isWatched || !left.value.has(id)}
                onChange={() => toggle(id)}
              />
              <span class="choice-name">
                <b>
                  <bdi>{one.reference}</bdi>
                </b>{" "}
                <bdi class="soft">{[one.brand, one.model].filter(Boolean).join(" ")}</bdi>
              </span>
              {isWatched ? <Tag tone="good">{words.watched}</Tag> : null}
              <span class="soft num">{words.asks(one.for_sale_count)}</span>
              <span class="num choice-amount">
                <Amount minor={one.median_price_eur_minor} currency="EUR" kind="price" />
              </span>
            </label>
          </li>
        );
      })}
    </ul>
  );
}
