import type { ComponentChildren } from "preact";

/** A short mark in a row. Amber means changed or look, red means suspect; the words say it too. */
export function Tag(props: {
  readonly tone?: "plain" | "warn" | "bad" | "good";
  readonly children: ComponentChildren;
}) {
  return <span class={`tag ${props.tone ?? "plain"}`}>{props.children}</span>;
}
