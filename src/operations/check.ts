import type { Config } from "../base/config.ts";
import type { DatabasePool } from "../db/database.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";

/** What an examination found, in one line for people. */
export interface Finding {
  readonly isFine: boolean;
  readonly text: string;
  /** True if it works, but should not stay as it is. */
  readonly isWarning?: boolean;
  /** The command that helps or shows more, if there is one; without `--demo`. */
  readonly command?: string;
}

/** What a check may read. */
export interface CheckContext {
  readonly pool: DatabasePool;
  readonly config: Config;
  readonly nowMs: number;
  loadCatalogue(): Promise<Catalogue>;
}

export interface Check {
  /** Part of the API. */
  readonly name: string;
  /** True if it reads many rows or asks another program: it must not run for every request. */
  readonly isHeavy: boolean;
  examine(context: CheckContext): Promise<readonly Finding[]>;
}
