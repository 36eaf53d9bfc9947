/** Finds what an expression of Prometheus names, well enough for our own rules and dashboard. */

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly value: string }[];
}

const WORDS = new Set(["by", "without", "on", "ignoring", "and", "or", "unless", "bool", "offset"]);

/** The metrics of an expression, each with the labels that it is selected by. */
export function listSelectors(expression: string): readonly Selector[] {
  // What stands in the parentheses of `by` and `on` are labels.
  const text = expression.replaceAll(GROUPING, " ");
  return [...text.matchAll(/([a-zA-Z_]\w*)\s*(\(|\{([^}]*)\})?/g)]
    .filter(([, name = "", after]) => after !== "(" && !WORDS.has(name) && !isInside(text, name))
    .map(([, metric = "", , matchers = ""]) => ({
      metric,
      matchers: [...matchers.matchAll(/(\w+)\s*[!=]=?~?\s*"([^"]*)"/g)].map(
        ([, label = "", value = ""]) => ({ label, value }),
      ),
    }));
}

/** The labels by which an expression groups. */
export function listGroupings(expression: string): readonly string[] {
  return [...expression.matchAll(GROUPING)].flatMap(([, labels = ""]) =>
    labels.split(",").map((label) => label.trim()),
  );
}

const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;

/** A unit of a duration, such as the m of [5m], or a variable of Grafana. */
function isInside(text: string, name: string): boolean {
  return new RegExp(`\\[[^\\]]*${name}[^\\]]*\\]`).test(text) && !name.startsWith("assay");
}
