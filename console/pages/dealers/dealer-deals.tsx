import { useCallback } from "preact/hooks";
import type { Deal } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useDealsChanged } from "../../live/changes.ts";
import { Age, Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { dealersWords } from "../../words/dealers.ts";
import { watchWords } from "../../words/watch.ts";
import { DealWatch } from "../deals/deal-columns.tsx";

const ROWS_MAX = 20;

/** What the desk decided about watches of this dealer, the latest first. */
export function DealerDeals({ contactId }: { readonly contactId: string }) {
  if (!canWrite.value) {
    return (
      <Section title={dealersWords.dealsWith}>
        <p class="soft">{dealersWords.notDesk}</p>
      </Section>
    );
  }
  return <Deals contactId={contactId} />;
}

function Deals({ contactId }: { readonly contactId: string }) {
  const load = useLoad([contactId], (signal) =>
    api.listDeals({ contact_id: contactId, limit: ROWS_MAX }, { signal }),
  );
  useDealsChanged(
    useCallback(() => load.state.peek().value?.items.map((deal) => deal.listing_id) ?? [], []),
    load.reload,
  );
  return (
    <Section
      title={dealersWords.dealsWith}
      note={<a href={`/deals?dealer=${contactId}&range=all`}>{dealersWords.allDeals}</a>}
    >
      <WhenLoaded load={load} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{dealersWords.noDeals}</p>
          ) : (
            <ul class="plain-list">
              {items.map((deal) => (
                <li key={deal.listing_id}>
                  <span>
                    <DealWatch deal={deal} />{" "}
                    <Tag tone={deal.state === "bought" ? "good" : "plain"}>
                      {watchWords.state(deal.state)}
                    </Tag>{" "}
                    <Paid deal={deal} />
                  </span>
                  <span class="sub">
                    <Age atMs={deal.updated_at_ms} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function Paid({ deal: { paid, offer } }: { readonly deal: Deal }) {
  const amount = paid ?? offer;
  if (amount === undefined) return null;
  return <Amount minor={amount.amount_minor} currency={amount.currency} kind="threshold" />;
}
