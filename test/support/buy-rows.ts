import type { Page } from "playwright-core";
import type { AssayClient, MatchContext, WatchMatch } from "../../client/assay-client.ts";

/** The rows of Buys, those that were seen included. */
export async function listRows(api: AssayClient): Promise<readonly WatchMatch[]> {
  return (await api.listWatchMatches({ include_shadow: true, limit: 200 })).items;
}

export function hasProfit({ matches }: WatchMatch): boolean {
  return matches.some(
    ({ match }) => match.match_context.profit_opportunity_eur_minor !== undefined,
  );
}

/** Of the match with the highest profit. */
export function bestContext({ matches }: WatchMatch): MatchContext {
  const contexts = matches.map(({ match }) => match.match_context);
  const profits = contexts.map((context) => context.profit_opportunity_eur_minor ?? -1);
  return contexts[profits.indexOf(Math.max(...profits))] ?? {};
}

/** What the page sends that is not a read. The market has no writes. */
export function recordWrites(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const isRead = request.method() === "GET" || pathname.startsWith("/v2/market/");
    if (!isRead && pathname.startsWith("/v2/")) {
      sent.push(`${request.method()} ${pathname}`);
    }
  });
  return sent;
}

/** The id of the row that is shown beside the list. */
export function selectedId(page: Page): Promise<string | undefined> {
  return page.evaluate('document.querySelector("tr[aria-selected=true]")?.dataset.id');
}
