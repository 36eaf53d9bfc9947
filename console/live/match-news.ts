import { formatAmount, hidePhones, toWhole } from "../words/formats.ts";
import { words } from "../words/words.ts";
import type { LiveEvent } from "./stream.ts";

/** What a notification says about one match. */
export interface MatchNews {
  /** The watch or message: several alerts may match it. */
  readonly id: string;
  readonly isWatch: boolean;
  readonly watch: string;
  readonly ask: string | undefined;
  readonly profitMinor: number | undefined;
  readonly dealer: string | undefined;
}

const LINES_MAX = 4;

/** Matches of a shadow profile notify no one. */
export function toNews(events: readonly LiveEvent[]): readonly MatchNews[] {
  return events.flatMap((event) => {
    if (event.event !== "alert.match" || event.data.data.is_shadow === true) return [];
    const { alert, match, listing, headline } = event.data.data;
    // Of the headline, so that a watch has the same figure everywhere.
    const profit = headline?.["profit_opportunity_eur_minor"];
    const price = listing?.price;
    const named = [listing?.brand, listing?.reference ?? listing?.model].filter(Boolean).join(" ");
    return [
      {
        id: match.resource_id,
        isWatch: listing !== undefined,
        watch: named === "" ? alert.name : named,
        ask:
          price === undefined
            ? undefined
            : formatAmount({ minor: price.amount_minor, currency: price.currency }),
        profitMinor: typeof profit === "number" ? profit : undefined,
        dealer: listing?.sender.display_name,
      },
    ];
  });
}

/** One watch is named in the title; several are counted there, and the latest are named below. */
export function toNotice(
  news: readonly MatchNews[],
  isPresenting: boolean,
): { readonly title: string; readonly body: string } {
  const [only] = news;
  if (only !== undefined && news.length === 1) {
    return {
      title: [only.watch, only.ask].filter(Boolean).join(", "),
      body: [profitOf(only, isPresenting), only.dealer && hidePhones(only.dealer)]
        .filter(Boolean)
        .join(" · "),
    };
  }
  const latest = news.toReversed().slice(0, LINES_MAX);
  const lines = latest.map((one) =>
    [one.watch, one.ask, profitOf(one, isPresenting)].filter(Boolean).join(", "),
  );
  const restCount = news.length - latest.length;
  if (restCount > 0) lines.push(words.notifications.more(restCount));
  return { title: words.notifications.count(news.length), body: lines.join("\n") };
}

function profitOf({ profitMinor }: MatchNews, isPresenting: boolean): string | undefined {
  if (profitMinor === undefined || isPresenting) return undefined;
  return words.notifications.profit(formatAmount({ minor: toWhole(profitMinor), currency: "EUR" }));
}
