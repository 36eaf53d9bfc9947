import type { AlertOverlap } from "../../../client/assay-client.ts";
import { Section } from "../../parts/section.tsx";
import { alertsWords } from "../../words/alerts.ts";
import { formatCount } from "../../words/formats.ts";

const SHOWN = 6;

/** The other alerts that found some of the same, those with the most first. */
export function Overlaps(props: {
  readonly overlaps: readonly AlertOverlap[];
  readonly total: number;
}) {
  const { overlaps, total } = props;
  const rest = overlaps.slice(SHOWN);
  return (
    <Section title={alertsWords.overlaps} note={alertsWords.overlapsHint}>
      <List overlaps={overlaps.slice(0, SHOWN)} total={total} />
      {rest.length === 0 ? null : (
        <details class="rest">
          <summary>{alertsWords.overlapsMore(rest.length)}</summary>
          <List overlaps={rest} total={total} />
        </details>
      )}
    </Section>
  );
}

function List({ overlaps, total }: Parameters<typeof Overlaps>[0]) {
  return (
    <ul class="overlaps">
      {overlaps.map(({ alert_id, name, shared_count }) => (
        <li key={alert_id}>
          <a href={`/alerts/${alert_id}`}>
            <bdi>{name}</bdi>
          </a>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect class="day-ground" width="100" height="4" />
            <rect width={Math.min(100, (shared_count / Math.max(1, total)) * 100)} height="4" />
          </svg>
          <span class="num">{formatCount(shared_count)}</span>
        </li>
      ))}
    </ul>
  );
}
