import { OTHER_DATE_WORDS } from "../catalogue/cue-words.ts";
import type { Line } from "../lines/line.ts";
import { tokenAt } from "../lines/token.ts";
import type { DateReading } from "./date-parts.ts";

/** Tokens between the event and its date, as in "polished by AP in 2024". */
const OTHER_DATE_GAP_MAX = 4;

/** Returns true if the date belongs to a service, a certificate or a launch, by the words before it. */
export function isDateOfOtherEvent(line: Line, date: DateReading): boolean {
  for (let at = date.from - 1; at >= 0 && at >= date.from - OTHER_DATE_GAP_MAX; at -= 1) {
    const word = line.tokens[at]?.word ?? "";
    if (/^[,;|/]$/.test(word)) break;
    if (word === "polished" && /^(by|in|at)$/.test(line.tokens[at + 1]?.word ?? "")) return true;
    // "Needs service 2009": the service has not happened. "Scratch on clasp 07/2025": the clasp has no date.
    // "33bis" is a model.
    if (OTHER_DATE_WORDS.has(word) && line.tokens[at]?.isGlued !== true)
      return !/^(needs?|no|on|of|the)$/.test(tokenAt(line.tokens, at - 1)?.word ?? "");
  }
  return isBeforeServicePapers(line, date.to, (date.year ?? OLD_YEAR_MAX) < OLD_YEAR_MAX);
}

/** Tokens between the date and the papers, as in "2022 AP service report". */
const SERVICE_GAP_MAX = 3;

/** A year before this is that of the watch. */
const OLD_YEAR_MAX = 2012;

/** "2021 Service Papers", "2022 AP service report", "2023 extract": the papers of another event. */
function isBeforeServicePapers(line: Line, at: number, isOld: boolean): boolean {
  for (let next = at; next < at + SERVICE_GAP_MAX; next += 1) {
    if (line.tokens[next]?.kind !== "letters") return false;
    const word = line.tokens[next]?.word ?? "";
    // The extract of an old watch is new, so an old year is that of the watch.
    if (/^(extract|archives?)$/.test(word)) return !isOld;
    if (/^(services?|servicing|svc|cpo)$/.test(word)) {
      const thing = line.tokens[next + 1]?.word ?? "";
      return SERVICE_PAPERS.has(thing) || (word !== "cpo" && thing === ")");
    }
  }
  return false;
}

const SERVICE_PAPERS: ReadonlySet<string> = new Set(
  "papers paper report card cards invoice receipt record records certificate cert document documents warranty guarantee".split(
    " ",
  ),
);
