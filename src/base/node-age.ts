/** Node 24 is recommended: it gets fixes until April 2028. */
const RECOMMENDED = 24;
/** When the fixes of a line ended, from https://github.com/nodejs/release#release-schedule, of November 2026. */
const ENDED: Readonly<Record<number, string>> = {
  20: "April 2026",
  21: "June 2024",
  23: "June 2025",
  25: "June 2026",
};

/** Says what is wrong with a version of Node, such as `20.20.2`. */
export function findNodeProblem(version: string): string | undefined {
  const major = Number.parseInt(version, 10);
  const ended = ENDED[major];
  if (ended === undefined) return undefined;
  return `Node ${major} gets no fixes since ${ended}; Node ${RECOMMENDED} is recommended`;
}
