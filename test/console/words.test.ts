/** The words of the console are the trade's: neither the maker's nor those of a shell. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const FOLDER = join("console", "words");

/** What the service calls otherwise than dealers do. */
const MAKERS =
  /\b(?:configurations?|profiles?|sessions?|targets?|views?|manifests?|members?|shadow|sides?|webhooks?|payload|endpoint)\b/i;
/** A command or a setting. */
const SHELL = /\bassay [a-z]|\bASSAY_|\bnpm /;
/** The names of words that stand behind "For engineers", or where one signs in for the first time. */
const FOR_ENGINEERS = /(?:Command|Setting|^setting|^keyHint|^tokenHint|^intro|^badCode)$/;

interface Word {
  readonly place: string;
  readonly key: string;
  readonly text: string;
}

test("no word of the console is the maker's, and no command stands outside of what is for engineers", () => {
  const words = readdirSync(FOLDER).flatMap((file) =>
    listWords(file, readFileSync(join(FOLDER, file), "utf8")),
  );
  const wrong = words.filter(
    ({ key, text }) => MAKERS.test(text) || (SHELL.test(text) && !FOR_ENGINEERS.test(key)),
  );

  assert.ok(words.length > 1_000, `only ${words.length} words were found`);
  assert.deepEqual(
    wrong.map(({ place, text }) => `${place}: ${text}`),
    [],
  );
});

test("the scanner finds texts with what they are called, and neither keys nor ids nor comments", () => {
  const source = [
    'import { trade } from "./trade.ts";',
    "/** A profile, not a word. */",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template.
    'export const words = { one: "a view", [key]: `two ${text("x")} sides`,',
    '  "a session": "none", id: "target" } as const;',
  ].join("\n");

  assert.deepEqual(
    listWords("a.ts", source).map(({ key, text }) => [key, text]),
    [
      ["", "x"],
      ["one", "a view"],
      ["key", "two … sides"],
      ["a session", "none"],
    ],
  );
});

/** Every text that the file has, but for imports, comments, quoted names and ids. */
function listWords(file: string, source: string): readonly Word[] {
  const { plain, found } = flattenTemplates(
    source.replaceAll(/^import .*$/gm, "").replaceAll(/\/\*[\s\S]*?\*\//g, ""),
  );
  const words: Word[] = found.map((text) => ({ place: file, key: "", text }));
  let key = "";
  for (const [, text, isName, name] of plain.matchAll(
    /"((?:[^"\\\n]|\\.)*)"(\s*:)?|(\w+)\]?\s*:(?!:)/g,
  )) {
    if (name !== undefined) key = name;
    else if (isName !== undefined) key = text ?? "";
    else if (key !== "id") words.push({ place: `${file} ${key}`, key, text: text ?? "" });
  }
  return words;
}

/** Templates as plain texts, from the inside out, and the texts that stood between their braces. */
function flattenTemplates(source: string): {
  readonly plain: string;
  readonly found: readonly string[];
} {
  const found: string[] = [];
  let plain = source;
  let before = "";
  while (plain !== before) {
    before = plain;
    plain = plain
      .replaceAll(/\$\{([^{}`]*)\}/g, (_, code: string) => {
        found.push(...[...code.matchAll(/"([^"\n]*)"/g)].map(([, text = ""]) => text));
        return "…";
      })
      .replaceAll(
        /`((?:[^`$\\]|\\.|\$(?!\{))*)`/g,
        (_, text: string) => `"${text.replaceAll('"', "”")}"`,
      );
  }
  return { plain, found };
}
