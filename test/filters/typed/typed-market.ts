import { readFileSync } from "node:fs";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { changeShippedRates } from "../../../src/pipeline/change-rates.ts";
import { process } from "../../support/drain.ts";
import { NOW_MS } from "../../support/test-app.ts";
import { aGroupEvent, aMessageEvent } from "../../support/waha.ts";

/** The dealers of `market.txt`, with invented numbers of their countries. */
const PHONES: Readonly<Record<string, string>> = {
  "Mei Wong": "85255500101",
  陈先生: "85255500102",
  "Kenji Mori": "81355500103",
  "Luca Ferri": "39555000104",
  "Hans Adler": "49555000105",
  "Pierre Lambert": "33555000106",
  "Sofía Ruiz": "34555000107",
  "James Cole": "447700900108",
  "Omar Time": "971555001090",
  "Swiss Gold Watches": "41555000110",
  "Mike Stone": "12025550111",
  "Anna Berg": "46555000112",
  "Anna Kowalski": "48555000113",
};

interface MarketLine {
  readonly key: string;
  readonly dealer: string;
  readonly group: string;
  readonly text: string;
}

/** Reads a fixture beside this file, without its comments and empty lines. */
export function readFixture(name: string): readonly string[] {
  return readFileSync(`test/filters/typed/${name}`, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** Posts the market, and returns the key of each listing by its id: `k1`, and `k1.2` for a second watch. */
export async function buildTypedMarket(db: DatabasePool): Promise<ReadonlyMap<string, string>> {
  const lines = readFixture("market.txt").map(parseLine);
  const groups = [...new Set(lines.map(({ group }) => group))];
  const groupIdOf = (name: string) => `12036300000000020${groups.indexOf(name)}@g.us`;
  const dealers = Object.keys(PHONES);
  await changeShippedRates(db);
  await process(db, [
    ...groups.map((name) => aGroupEvent({ group: groupIdOf(name), name, atMs: NOW_MS })),
    ...lines.map(({ key, dealer, group, text }, index) =>
      aMessageEvent({
        rawId: key,
        group: groupIdOf(group),
        sender: {
          name: dealer,
          phone: PHONES[dealer] ?? "",
          lid: `1999000000003${dealers.indexOf(dealer) + 10}`,
        },
        addressing: "both",
        text: text.replaceAll(" / ", "\n"),
        atS: NOW_MS / 1000 - 3_600 + index * 60,
      }),
    ),
  ]);
  const rows = await db.query<{ id: string; message_timestamp_ms: number; line: number }>(sql`
    select id, message_timestamp_ms, line from listing order by message_timestamp_ms, line, id`);
  return new Map(
    rows.map(({ id, message_timestamp_ms, line }) => {
      const index = (message_timestamp_ms - (NOW_MS - 3_600_000)) / 60_000;
      return [id, `${lines[index]?.key}${line === 0 ? "" : `.${line + 1}`}`];
    }),
  );
}

function parseLine(line: string): MarketLine {
  const [key = "", dealer = "", group = "", text = ""] = line.split("|").map((part) => part.trim());
  return { key, dealer, group, text };
}
