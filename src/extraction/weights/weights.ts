/** The weights of the scorers, as data: they decide readings as much as the words do. */
import intents from "./intents.json" with { type: "json" };
import numbers from "./numbers.json" with { type: "json" };

export const WEIGHTS = { intents, numbers };
