import type { DealMark } from "../../../client/assay-client.ts";
import { canWrite, session } from "../../state/session.ts";
import { tellFailure } from "../../state/toasts.ts";
import { watchWords } from "../../words/watch.ts";
import { Age, Amount } from "../figures.tsx";
import { Tag } from "../table.tsx";
import {
  type ActedWatch,
  decideAndTell,
  type OnDecided,
  PASS_REASONS,
  type PassReason,
} from "./decide.ts";

/** What was decided, by whom and when, so that two people do not do the same. Nothing if nothing was. */
export function DealLine(props: { readonly watch: ActedWatch; readonly onDecided: OnDecided }) {
  const { deal, listing } = props.watch;
  if (deal === undefined) return null;
  return (
    <div class="deal-line" role="status">
      <Tag tone={deal.state === "passed" ? "plain" : "good"}>{watchWords.state(deal.state)}</Tag>
      {deal.state === "passed" ? <Reason {...props} deal={deal} /> : null}
      <span class="soft">
        {whoDecided(deal)} <Age atMs={deal.updated_at_ms} />
      </span>
      {deal.offer === undefined ? null : (
        <span>
          {watchWords.atOffer}{" "}
          <Amount minor={deal.offer.amount_minor} currency={deal.offer.currency} kind="threshold" />
        </span>
      )}
      {deal.price_drop === undefined ? null : <Tag tone="warn">{watchWords.isBack}</Tag>}
      {deal.listing_id === listing.id ? null : (
        <a href={`/listings/${deal.listing_id}`}>{watchWords.earlierPost}</a>
      )}
      {deal.note === undefined || deal.note === "" ? null : (
        <p class="deal-note">
          <bdi>{deal.note}</bdi>
        </p>
      )}
    </div>
  );
}

/** Can be said after the pass, which is one key. */
function Reason(props: {
  readonly watch: ActedWatch;
  readonly deal: DealMark;
  readonly onDecided: OnDecided;
}) {
  const { watch, deal, onDecided } = props;
  const reason = deal.reason ?? "other";
  if (!canWrite.value) return <span>{watchWords.reason(reason)}</span>;
  return (
    <select
      class="deal-reason"
      aria-label={watchWords.passTitle}
      value={reason}
      onChange={(event) => {
        const chosen = event.currentTarget.value as PassReason;
        decideAndTell(watch, { state: "passed", reason: chosen }, onDecided).catch(tellFailure);
      }}
    >
      {PASS_REASONS.map((each) => (
        <option key={each} value={each}>
          {watchWords.reason(each)}
        </option>
      ))}
    </select>
  );
}

/** `by you`, or by whom else. */
export function whoDecided({ updated_by }: DealMark): string {
  const isOwn = session.value.kind === "signed_in" && session.value.tokenName === updated_by;
  return watchWords.by(isOwn ? watchWords.you : (updated_by ?? watchWords.someone));
}
