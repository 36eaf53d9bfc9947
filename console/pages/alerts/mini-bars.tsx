import type { MatchDay } from "../../../client/assay-client.ts";
import { alertsWords } from "../../words/alerts.ts";
import { formatUtcDay } from "../../words/formats.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
const STEP = 4;
const BAR = 3;
const HEIGHT = 20;

/** The matches of the last 30 UTC days as small bars, each row by its own highest day. */
export function MiniBars({ days }: { readonly days: readonly MatchDay[] }) {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const most = days.reduce<MatchDay | undefined>(
    (best, day) => (day.match_count > (best?.match_count ?? 0) ? day : best),
    undefined,
  );
  const total = days.reduce((sum, { match_count }) => sum + match_count, 0);
  const label =
    most === undefined
      ? alertsWords.barsNone
      : alertsWords.bars({
          total,
          most: most.match_count,
          day: formatUtcDay(most.day_start_ms),
        });
  return (
    <svg class="mini-bars" width={DAYS * STEP} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <path class="mini-ground" d={`M0 ${HEIGHT - 0.5}H${DAYS * STEP - 1}`} />
      {days.map(({ day_start_ms, match_count }) => {
        const at = DAYS - 1 - Math.round((today - day_start_ms) / DAY_MS);
        const height = Math.max(2, (match_count / (most?.match_count ?? 1)) * HEIGHT);
        return at < 0 || match_count === 0 ? null : (
          <rect key={day_start_ms} x={at * STEP} y={HEIGHT - height} width={BAR} height={height} />
        );
      })}
    </svg>
  );
}
