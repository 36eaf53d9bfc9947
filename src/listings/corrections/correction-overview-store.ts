import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Correction, SetAsideReason } from "./correction.ts";

/** The newest correction of each scope, unless it is undone. */
const PRESENT = sql`
  select latest.*
    from (select distinct on (identity_sha256, line, ordinal, reference_normalized, field, default_currency, sender_country)
                 *
            from correction
           order by identity_sha256, line, ordinal, reference_normalized, field, default_currency, sender_country,
                    corrected_at_ms desc, id desc) as latest
   where not latest.is_undone`;

/** A correction that was not undone, and one message whose text it is about. */
export interface ListedCorrection extends Omit<Correction, "identity_sha256" | "is_undone"> {
  /** Null if no message has the text now. If it is set aside somewhere, this is such a message. */
  readonly canonical_message_id: string | null;
  readonly set_aside: SetAsideReason | null;
}

/** The newest first. */
export async function listCorrections(
  db: Database,
  options: { readonly limit: number; readonly isSetAside: boolean },
): Promise<readonly ListedCorrection[]> {
  const isWanted = options.isSetAside ? sql`place.set_aside is not null` : sql`true`;
  return db.query<ListedCorrection>(sql`
    select present.id, present.line, present.ordinal, present.reference_normalized, present.field, present.value,
           present.default_currency, present.sender_country, present.corrected_at_ms,
           place.canonical_message_id, place.set_aside
      from (${PRESENT}) as present
      left join lateral (
        select canonical_message_id, set_aside ->> present.id::text as set_aside
          from corrected_message
         where corrected_message.identity_sha256 = present.identity_sha256
         order by set_aside ->> present.id::text nulls last, canonical_message_id
         limit 1
      ) as place on true
     where ${isWanted}
     order by present.corrected_at_ms desc, present.id desc
     limit ${options.limit}`);
}

export async function countCorrections(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from (${PRESENT}) as present`,
  );
  return row?.count ?? 0;
}

/** How many corrections do not hold for a message with their text, by reason. */
export async function countSetAsideCorrections(
  db: Database,
): Promise<readonly { readonly reason: SetAsideReason; readonly count: number }[]> {
  return db.query<{ reason: SetAsideReason; count: number }>(sql`
    select entry.reason, count(distinct entry.id) as count
      from corrected_message
     cross join lateral jsonb_each_text(set_aside) as entry (id, reason)
     where set_aside <> '{}'
     group by entry.reason
     order by entry.reason`);
}
