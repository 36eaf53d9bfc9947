/** What the demo prints for a first look: requests that have something to show, and the token that they need. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { saveNewToken } from "../people/change-tokens.ts";
import { createTokenText, isTokenText, tokenSha256 } from "../people/token.ts";

/** Paths for a first look: each of them has something to show. */
interface Tour {
  readonly matches: string;
  readonly listing: string;
  readonly cells: string;
  readonly summary: string;
  readonly sessions: string;
}

/** The latest buy, its listing and price, and the message that was posted most. Undefined if there is none yet. */
export async function findTour(db: Database): Promise<Tour | undefined> {
  const [buy] = await db.query<BuyRow>(sql`
    select alert.id as alert_id, match.listing_id, match.match_context->>'configuration_id' as configuration_id
      from alert
      join alert_match as match on match.alert_id = alert.id
      join listing on listing.id = match.listing_id and not listing.is_hidden and not listing.is_revoked
      join listing_model as model
        on model.listing_id = listing.id
       and model.configuration_id = (match.match_context->>'configuration_id')::uuid
     where alert.strategy = 'price_engine' and not alert.is_system
     order by alert.created_at_ms, alert.id, match.matched_at_ms desc, listing.last_seen_at_ms desc, listing.id
     limit 1`);
  const [message] = await db.query<{ id: string }>(sql`
    select message.id
      from canonical_message as message
     where not message.is_own
       and exists (select 1 from listing where listing.canonical_message_id = message.id)
     order by message.occurrence_count desc nulls last, message.id
     limit 1`);
  if (buy === undefined || message === undefined) return undefined;
  return {
    matches: `/v2/alerts/${buy.alert_id}/matches?limit=3`,
    listing: `/v2/market/listings/${buy.listing_id}/price-engine`,
    cells: `/v2/market/price-engine/configurations/${buy.configuration_id}/cells`,
    summary: `/v2/messages/${message.id}/occurrences/summary`,
    sessions: "/v2/sessions",
  };
}

interface BuyRow {
  readonly alert_id: string;
  readonly listing_id: string;
  readonly configuration_id: string;
}

const ABOUT: Readonly<Record<keyof Tour, string>> = {
  matches: "the latest buys: what an alert matched, and the calculation at that time",
  listing: "one of these asks, compared with every price it falls under",
  cells: "what that watch is worth, by year and condition",
  summary: "where and how often one message was posted",
  sessions: "the accounts that listen and send",
};

/** Requests that work as printed. */
export function formatTour(
  tour: Tour,
  service: { readonly url: string; readonly token: string },
): string {
  return (Object.keys(ABOUT) as (keyof Tour)[])
    .map(
      (kind) =>
        `  # ${ABOUT[kind]}\n` +
        `  curl -H 'Authorization: Bearer ${service.token}' '${service.url}${tour[kind]}'\n`,
    )
    .join("");
}

const NAME_DIGITS = 8;

/** Returns the demo token. It stays the same, because it is stored in a file that only its owner can read. */
export async function ensureDemoToken(
  pool: DatabasePool,
  options: { readonly dataDir: string; readonly clock: Clock },
): Promise<string> {
  const file = join(options.dataDir, "demo-token");
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  const text = isTokenText(kept) ? kept : createTokenText();
  if (text !== kept) writeFileSync(file, `${text}\n`, { mode: 0o600 });
  // The mode above is for a new file only.
  chmodSync(file, 0o600);
  // Distinguishes the tokens of several demo folders, and has nothing of the secret.
  const name = `demo ${tokenSha256(text).toString("hex").slice(0, NAME_DIGITS)}`;
  const author = { name: "demo", nowMs: options.clock.nowMs() };
  await pool.transaction((tx) => saveNewToken(tx, { text, name, role: "owner" }, author));
  return text;
}
