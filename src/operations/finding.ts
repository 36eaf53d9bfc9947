/** What an examination found, in one line for people. */
export interface Finding {
  readonly isFine: boolean;
  readonly text: string;
  /** The command that helps or shows more, if there is one; without `--demo`. */
  readonly command?: string;
}
