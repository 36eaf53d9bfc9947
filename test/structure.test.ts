import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { test } from "node:test";
import { namedTables, readSql } from "./sql-tables.ts";

/** The way of the data. A file imports from its own folder and from folders above it, never from one below. */
const ORDER = [
  "base",
  "db",
  "people",
  "intake",
  "messages",
  "rates",
  "extraction",
  "listings",
  "filters",
  "matching",
  "pricing",
  "deals",
  "alerts",
  "outbound",
  "media",
  "privacy",
  "pipeline",
  "manifest",
  "operations",
  "backup",
  "api",
  "demo",
  "service",
  "cli",
];
/** The tables of each folder: only it writes them. A queue belongs to the folder that fills it. */
const TABLES: Readonly<Record<string, string>> = {
  db: "schema_migration",
  people: "api_token console_code console_session activity",
  intake:
    "raw_event raw_event_queue quarantined_event refused_event late_event ignored_event secret_search",
  messages: `contact contact_alias contact_identifier contact_note contact_pair identity_queue canonical_message message_alias
    message_version message_queue carried_alert carried_edit reported_message group_admin occurrence occurrence_rollup market_group group_queue
    messaging_session message_backfill retention kept_identifier kept_pair erasure_key erased_subject erasure_queue
    erasure_scan`,
  rates: "fx_rate fx_release rate_fetch",
  listings:
    "listing listing_alias message_extraction match_queue correction corrected_message erased_text",
  filters: "saved_filter saved_filter_change market_view",
  matching: "listing_model fresh_listing fresh_message member_queue refresh_queue match_anchor",
  pricing: `price_profile price_configuration price_snapshot price_cell price_cell_history price_configuration_mark
    market_rebuild`,
  deals: "deal",
  alerts: "alert alert_match alert_match_count webhook_target webhook_delivery",
  outbound: "group_preset",
  media: "media media_file media_twin media_pace refused_media",
  pipeline: "replay_request set_aside_item step_count",
  api: "store_identity",
  demo: "demo_load",
};
/** Which folder may read tables of which other ones in its SQL, and why. All of them stand above it. */
const READS: readonly (readonly [folder: string, owner: string, reason: string])[] = [
  ["listings", "messages", "a listing is made from its message, contact and groups"],
  ["filters", "messages", "filters name groups, contacts and messages, also by old ids"],
  ["filters", "rates", "a price filter in another currency converts in the statement"],
  ["matching", "messages", "message alerts read messages; an old id leads to a new one"],
  ["matching", "listings", "members are selected from listings in one statement"],
  ["matching", "filters", "every configuration has a saved filter"],
  ["pricing", "messages", "a cell of the past is made of the occurrences of then"],
  ["pricing", "listings", "cells are calculated from listings in one statement"],
  ["pricing", "filters", "explains and checks the source views"],
  ["pricing", "matching", "a cell is calculated from its members"],
  ["deals", "messages", "a deal keeps who posts its watch and where"],
  ["deals", "listings", "a deal follows its listing and covers later ones"],
  ["alerts", "messages", "a match shows its message; an old id leads to a new one"],
  ["alerts", "listings", "a match shows its listing; an old id leads to a new one"],
  ["alerts", "deals", "the figures of a dealer count the deals with him"],
  ["alerts", "filters", "which alerts have a filter; the view of an alert"],
  ["alerts", "matching", "the state of an alert is shown for each membership"],
  ["media", "intake", "the event of a picture has its address and its thumbnail"],
  ["media", "messages", "a picture belongs to a post"],
  ["media", "listings", "only pictures of listings are fetched; the same photo leads to its asks"],
  ["operations", "intake", "shows what is queued and what is quarantined"],
  ["operations", "messages", "shows what is queued"],
  ["operations", "listings", "likewise"],
  ["operations", "matching", "likewise"],
  ["operations", "alerts", "shows what is queued, and how late matches are"],
  ["operations", "pipeline", "shows what was set aside"],
  [
    "pipeline",
    "listings",
    "an item that was set aside names a listing, and its alert is of a message",
  ],
  ["backup", "rates", "a store that has nothing but built-in rates is empty"],
  ["demo", "media", "queues the photos of watches that it shows first"],
  ["demo", "messages", "the tour of the demo picks rows to show"],
  ["demo", "listings", "likewise"],
  ["demo", "matching", "likewise"],
  ["demo", "pricing", "the desk of the demo decides about watches below their market"],
  ["demo", "alerts", "the tour of the demo picks rows to show"],
];
const FOLDER_FILES_MAX = 25;
const SPLINTER_LINES = 60;
/** Small files with one user beside them that stay apart, and why. */
const SEAMS: Readonly<Record<string, string>> = {
  "console/pages/listing/format-clause.ts": "pure, and tested without a browser",
  "console/pages/market/search-texts.ts": "likewise",
};
/** Packages that only one folder may import, and folders that may not import one above them. */
const KEEPERS: Readonly<Record<string, string>> = {
  pg: "db",
  "pg-copy-streams": "db",
  "sql-template-tag": "db",
  fastify: "api",
};
const FORBIDDEN: readonly (readonly [string, string])[] = [["api", "pipeline"]];
const BANNED_NAMES = /(^|\/)(index|utils?|helpers?|common|lib|types)\.tsx?$/;

const files = listFiles("src");
const consoleFiles = listFiles("console");
const imports = files.flatMap((file) =>
  importsOf(file).map((target) => ({ file, target, folder: folderOf(file) })),
);
const local = imports
  .filter(({ target }) => target.startsWith("."))
  .map((entry) => ({ ...entry, target: normalize(join(dirname(entry.file), entry.target)) }));
const houseImports = [...files, ...consoleFiles].flatMap((file) =>
  importsOf(file)
    .filter((target) => target.startsWith("."))
    .map((target) => ({ file, target: normalize(join(dirname(file), target)) })),
);
const OWNERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TABLES).flatMap(([folder, names]) =>
    names.split(/\s+/).map((name) => [name, folder]),
  ),
);
const namings = files.flatMap((file) =>
  readSql(readFileSync(file, "utf8"))
    .flatMap(namedTables)
    .flatMap(({ name, isWrite }) => {
      const owner = OWNERS[name];
      return owner === undefined ? [] : [{ file, folder: folderOf(file), name, owner, isWrite }];
    }),
);

test("the test reads the sources: there are files and imports between folders", () => {
  assert.ok(files.length > 40);
  assert.ok(local.some(({ file, target }) => folderOf(file) !== folderOf(target)));
});

test("every folder of src has its place in the order of the data", () => {
  const folders = [...new Set(files.map(folderOf))];

  assert.deepEqual(
    folders.filter((folder) => !ORDER.includes(folder)),
    [],
  );
});

test("imports point up the order of the data, never down", () => {
  const down = local.filter(
    ({ folder, target }) => ORDER.indexOf(folderOf(target)) > ORDER.indexOf(folder),
  );
  const forbidden = local.filter(({ folder, target }) =>
    FORBIDDEN.some(([from, to]) => folder === from && folderOf(target) === to),
  );

  assert.deepEqual([...down, ...forbidden], []);
});

test("the driver is imported in db only, and Fastify in api only", () => {
  const strays = imports.filter(({ folder, target }) => {
    const keeper = KEEPERS[target];
    return keeper !== undefined && keeper !== folder;
  });

  assert.deepEqual(strays, []);
});

test("the console imports the client, itself, Preact and what draws watches and QR codes, and nothing else imports Preact", () => {
  const pairs = ["console", "src", "client", "test", "bench"].flatMap((folder) =>
    listFiles(folder).flatMap((file) => importsOf(file).map((target) => ({ file, target }))),
  );
  const isPreact = (target: string): boolean => /^(?:@preact|preact)(?:\/|$)/.test(target);
  const isAllowed = ({ file, target }: { file: string; target: string }): boolean => {
    if (!file.startsWith("console/")) return !isPreact(target);
    if (!target.startsWith(".")) return isPreact(target) || target === "qr";
    return /^(?:console|client|drawing)\//.test(normalize(join(dirname(file), target)));
  };

  assert.ok(pairs.some(({ file, target }) => file.startsWith("console/") && isPreact(target)));
  assert.deepEqual(
    pairs.filter((pair) => !isAllowed(pair)),
    [],
  );
});

test("only api.ts of the console makes requests, and nothing in it writes markup or style attributes", () => {
  const having = (pattern: RegExp) =>
    consoleFiles.filter((file) => pattern.test(readFileSync(file, "utf8")));

  assert.ok(consoleFiles.length > 40);
  assert.deepEqual(having(/\bfetch\(|XMLHttpRequest|EventSource/), [
    "console/api.ts",
    // Hands on what the browser asks for.
    "console/live/service-worker.ts",
  ]);
  assert.deepEqual(having(/innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet/), []);
  assert.deepEqual(having(/\sstyle=/), []);
});

test("layouts of the console change at three widths only", () => {
  const sheets = listStyleSheets("console");
  const widths = sheets.flatMap((file) => {
    const queries = readFileSync(file, "utf8").match(/@media[^{]+/g) ?? [];
    return queries.flatMap((query) => query.match(/\d+(?=px)/g) ?? []);
  });

  assert.ok(widths.length > 5);
  assert.deepEqual(
    [...new Set(widths)].filter((width) => !["640", "1100", "1600"].includes(width)),
    [],
  );
});

function listStyleSheets(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".css"))
    .map((file) => join(folder, file));
}

test("a file has a name that says what is in it", () => {
  assert.deepEqual(
    [...files, ...consoleFiles].filter((file) => BANNED_NAMES.test(file)),
    [],
  );
});

test("the folders of one folder import each other one way, and no circle of them leads back", () => {
  const targets = new Map<string, Set<string>>();
  for (const { file, target } of houseImports) {
    const [from, to] = siblingsOf(file, target) ?? [];
    if (from === undefined || to === undefined) continue;
    targets.set(from, (targets.get(from) ?? new Set()).add(to));
  }
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): void => {
    if (path.includes(folder)) {
      circles.push([...path.slice(path.indexOf(folder)), folder].join(" > "));
    }
    if (path.includes(folder) || done.has(folder)) return;
    for (const target of targets.get(folder) ?? []) visit(target, [...path, folder]);
    done.add(folder);
  };

  for (const folder of targets.keys()) visit(folder, []);

  assert.ok(targets.size > 10, `only ${targets.size} folders have siblings`);
  assert.deepEqual(circles, []);
});

test("a file under 60 lines has more than one user, or its user is in another folder", () => {
  const splinters = [...files, ...consoleFiles].filter((file) => {
    const users = new Set(
      houseImports.flatMap((entry) => (entry.target === file ? entry.file : [])),
    );
    const [user = ""] = users;
    return users.size === 1 && dirname(user) === dirname(file) && linesOf(file) < SPLINTER_LINES;
  });

  assert.deepEqual(
    splinters.filter((file) => !(file in SEAMS)),
    [],
  );
  assert.deepEqual(
    Object.keys(SEAMS).filter((file) => !splinters.includes(file)),
    [],
    "an exception that is none",
  );
});

test("a noun has at most two stores, one that reads and one that writes", () => {
  const extra = files.filter((file) =>
    /-(?:page|overview|count|summary|list)-store\.ts$/.test(file),
  );
  const nouns = files.flatMap((file) => /([\w-]+?)(?:-write)?-store\.ts$/.exec(file)?.[1] ?? []);
  const thrice = nouns.filter((noun) => nouns.filter((other) => other === noun).length > 2);

  assert.ok(nouns.length > 20);
  assert.deepEqual([...extra, ...thrice], []);
});

test("no folder has more than 25 files", () => {
  const all = [...files, ...consoleFiles, ...listFiles("test/support")];
  const folders = [...new Set(all.map((file) => dirname(file)))];

  assert.deepEqual(
    folders.filter(
      (folder) => all.filter((file) => dirname(file) === folder).length > FOLDER_FILES_MAX,
    ),
    [],
  );
});

test("only config.ts and the entry read the environment, and only clock.ts reads the time", () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(file, "utf8")));
  const timers = files.filter((file) =>
    /Date\.now\(|new Date\(\)/.test(readFileSync(file, "utf8")),
  );

  assert.deepEqual(readers, ["src/cli/main.ts"]);
  assert.deepEqual(timers, ["src/base/clock.ts"]);
});

test("every table of schema.sql has one owner", () => {
  const schema = readFileSync("schema.sql", "utf8");
  const stored = [...schema.matchAll(/^create table (\w+)/gm)].map((match) => match[1] ?? "");
  const owned = Object.values(TABLES).flatMap((names) => names.split(/\s+/));

  assert.ok(stored.length > 40);
  assert.deepEqual(owned.toSorted(), stored.toSorted());
});

test("the scanner finds the tables that SQL names, and neither columns nor other text", () => {
  const source = `
    /** Reads from comment_table. */
    const from = "from text_table"; // from line_table
    const quote = /[\`"]/.test(x) ? 1 : 2;
    db.query(sql\`select a.listing from alert as a, raw_event as b (x, y), contact
      join \${recordset(rows)} as c on c.x is distinct from listing.x and exists (\${sql\`select from demo_load\`})\`);
    db.execute(sql\`delete from fx_rate using \${rows} as gone, price_cell\`);
    db.execute(sql\`insert into listing (id) select 1 on conflict (id) do update set id = 2\`);
    pool.script(\`truncate occurrence, contact_pair\`);`;

  const found = readSql(source)
    .flatMap(namedTables)
    .filter(({ name }) => name in OWNERS)
    .map(({ name, isWrite }) => `${isWrite ? "writes" : "reads"} ${name}`);

  assert.deepEqual(found.toSorted(), [
    "reads alert",
    "reads contact",
    "reads demo_load",
    "reads price_cell",
    "reads raw_event",
    "writes contact_pair",
    "writes fx_rate",
    "writes listing",
    "writes occurrence",
  ]);
});

test("SQL writes tables of its own folder only, and reads those of others only for a listed reason", () => {
  const isAllowed = new Set(READS.map(([folder, owner]) => `${folder} ${owner}`));
  const foreign = namings.filter(({ folder, owner }) => folder !== owner);

  assert.ok(namings.length >= 100, `only ${namings.length} namings were found`);
  assert.deepEqual(
    foreign.filter(({ folder, owner, isWrite }) => isWrite || !isAllowed.has(`${folder} ${owner}`)),
    [],
  );
  const used = new Set(foreign.map(({ folder, owner }) => `${folder} ${owner}`));
  assert.deepEqual(
    [...isAllowed].filter((pair) => !used.has(pair)),
    [],
    "a listed reason that no statement needs",
  );
});

test("a folder reads tables of folders above it, never of one below", () => {
  const down = READS.filter(([folder, owner]) => ORDER.indexOf(owner) >= ORDER.indexOf(folder));

  assert.deepEqual(down, []);
});

test("no SQL template is awaited or stands alone: it is inert, so the statement would never run", () => {
  const everywhere = ["src", "test", "bench", "client"].flatMap(listFiles);
  const inert = /\bawait\s+sql`|\basync\b[^;{}]*=>\s*sql`|(?:;|\}|(?<!\$)\{)\n\s*sql`/;
  const found = everywhere.filter((file) => inert.test(readFileSync(file, "utf8")));

  assert.ok(everywhere.length > files.length);
  assert.match("await sql" + "`select 1`", inert);
  assert.deepEqual(found, []);
});

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(path);
      return /\.tsx?$/.test(entry.name) ? [path] : [];
    })
    .sort();
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  const pattern = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)"([^"]+)"/gm;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

function folderOf(file: string): string {
  return relative("src", file).split("/")[0] ?? "";
}

/** The folders next to each other in which the two files are; undefined if one folder contains both. The order of `src/` itself is ORDER. */
function siblingsOf(file: string, target: string): readonly [string, string] | undefined {
  const from = dirname(file).split("/");
  const to = dirname(target).split("/");
  const at = from.findIndex((name, index) => name !== to[index]);
  const isInside = at < 0 || to[at] === undefined;
  if (isInside || from[0] !== to[0] || (from[0] === "src" && at === 1)) return undefined;
  return [from.slice(0, at + 1).join("/"), to.slice(0, at + 1).join("/")];
}

function linesOf(file: string): number {
  return readFileSync(file, "utf8").split("\n").length - 1;
}
