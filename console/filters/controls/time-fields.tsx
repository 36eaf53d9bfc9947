import { Chip } from "../../parts/chip.tsx";
import { controlWords } from "../../words/filter-controls.ts";
import { type Bound, boundOf, withInner, withMember } from "../filter-values.ts";
import { useEditedFilter } from "./edited-filter.ts";

const MEMBER = "last_seen_at_ms";
const DAY_MS = 86_400_000;
const SPANS = [
  { days: 1, label: controlWords.day },
  { days: 7, label: controlWords.week },
  { days: 30, label: controlWords.month },
] as const;

/** When a listing was last seen: the last days at a press, or two dates. */
export function TimeFields() {
  const { filter, change } = useEditedFilter();
  const from = boundOf(filter, MEMBER, "gte");
  return (
    <>
      <div class="row">
        {SPANS.map(({ days, label }) => {
          const since = daysAgo(days);
          const isOn = from === since && boundOf(filter, MEMBER, "lte") === undefined;
          return (
            <Chip
              key={days}
              isOn={isOn}
              onToggle={() => change(withMember(filter, MEMBER, isOn ? undefined : { gte: since }))}
            >
              {label}
            </Chip>
          );
        })}
      </div>
      <div class="dates">
        <DateField bound="gte" />
        <DateField bound="lte" />
      </div>
    </>
  );
}

function DateField({ bound }: { readonly bound: Bound }) {
  const { filter, change } = useEditedFilter();
  const given = boundOf(filter, MEMBER, bound);
  const label = bound === "gte" ? controlWords.from : controlWords.to;
  return (
    <label>
      <span class="sub">{label}</span>
      <input
        class="field"
        type="date"
        aria-label={`${controlWords.seen} ${label.toLowerCase()}`}
        value={given === undefined ? "" : toDate(given)}
        onChange={(event) => {
          const start = new Date(`${event.currentTarget.value}T00:00:00`).getTime();
          const value = bound === "gte" ? start : start + DAY_MS - 1;
          change(withInner(filter, [MEMBER, bound], Number.isNaN(value) ? undefined : value));
        }}
      />
    </label>
  );
}

/** To the full hour, so that the same choice is the same filter for a while. */
function daysAgo(days: number): number {
  const hourMs = 3_600_000;
  return Math.floor(Date.now() / hourMs) * hourMs - days * DAY_MS;
}

/** In the time zone of the reader, as the field shows it. */
function toDate(atMs: number): string {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return "";
  const month = String(at.getMonth() + 1).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${month}-${String(at.getDate()).padStart(2, "0")}`;
}
