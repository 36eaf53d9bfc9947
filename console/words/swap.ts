/** The question whether the link of another person may replace this session. */
export const swapWords = {
  title: (former: string, other: string) => `You are ${former}. Sign in as ${other} instead?`,
  means: (former: string) =>
    `A link that somebody sent can do this too. If you go on, this browser is no longer signed in as ${former}.`,
  action: (other: string) => `Sign in as ${other}`,
  stay: (former: string) => `Stay ${former}`,
} as const;
