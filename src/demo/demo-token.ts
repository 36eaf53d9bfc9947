import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTokenText, isTokenText, tokenSha256 } from "../api/auth/token.ts";
import { saveToken } from "../api/auth/token-store.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";

const NAME_DIGITS = 8;

/** Returns the demo token. It stays the same, because it is stored in a file that only its owner can read. */
export async function ensureDemoToken(
  db: Database,
  options: { readonly dataDir: string; readonly clock: Clock },
): Promise<string> {
  const file = join(options.dataDir, "demo-token");
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  const text = isTokenText(kept) ? kept : createTokenText();
  if (text !== kept) writeFileSync(file, `${text}\n`, { mode: 0o600 });
  await saveToken(db, {
    text,
    // Distinguishes the tokens of several demo folders, and has nothing of the secret.
    name: `demo ${tokenSha256(text).toString("hex").slice(0, NAME_DIGITS)}`,
    isReadOnly: false,
    createdAtMs: options.clock.nowMs(),
  });
  return text;
}
