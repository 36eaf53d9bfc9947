/** The icons, drawn for this: lines on a field of 20 by 20, in the colour of the text beside them. The text says what they mean. */

/** Each is one path of strokes. */
const PATHS = {
  // A price tag.
  buys: "M3 3.5h6.6l7 7a1.4 1.4 0 0 1 0 2l-4.1 4.1a1.4 1.4 0 0 1-2 0l-7-7zM6.6 7.1h.01",
  // Rows of a list, the first of them longer.
  market: "M3 5h14M3 10h14M3 15h9",
  // A watch: the case, the band above and below, the hands.
  references:
    "M7 5.2 7.7 2h4.6l.7 3.2M7 14.8l.7 3.2h4.6l.7-3.2M10 7.6V10l1.7 1.2M15.2 10a5.2 5.2 0 1 1-10.4 0 5.2 5.2 0 0 1 10.4 0z",
  // Two people, one behind the other.
  dealers:
    "M2 16.5c.5-3 2.4-4.5 5-4.5s4.5 1.5 5 4.5M9.7 6.2a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0zM13 3.7a2.7 2.7 0 0 1 0 5M14.5 12.3c2 .4 3.2 1.8 3.5 4.2",
  // A sheet with a tick.
  deals: "M4.5 2.5h11v15h-11zM7.5 10l2 2 3.5-4.2",
  // A bell.
  alerts: "M5 13.5V9a5 5 0 0 1 10 0v4.5l1.5 1.5h-13zM8.4 17.4a1.8 1.8 0 0 0 3.2 0",
  // Two sliders.
  settings:
    "M3 6.5h7.2M15.4 6.5H17M3 13.5h1.6M9.8 13.5H17M15.4 6.5a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0zM9.8 13.5a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0z",
  // A pulse.
  operations: "M2.5 10.5h3.6l2.2-6 3.6 11 2.2-5h3.4",
  search: "M13 13l4 4M14.5 8.8a5.7 5.7 0 1 1-11.4 0 5.7 5.7 0 0 1 11.4 0z",
  more: "M4.2 10h.6M9.7 10h.6M15.2 10h.6",
  person:
    "M4 17c.6-3.2 2.9-4.8 6-4.8s5.4 1.6 6 4.8M13.2 6.2a3.2 3.2 0 1 1-6.4 0 3.2 3.2 0 0 1 6.4 0z",
  // A screen that others see.
  presenter: "M3 4h14v9H3zM10 13v3M6.5 16.5h7",
  keys: "M2.5 5.5h15v9h-15zM6 8.5h.01M10 8.5h.01M14 8.5h.01M7 11.7h6",
  rows: "M3 4.5h14M3 8.2h14M3 11.8h14M3 15.5h14",
  device: "M6.5 2.5h7a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1zM9 15h2",
  signOut: "M8 3.5H4v13h4M12.5 6.5 16 10l-3.5 3.5M16 10H8",
  check: "M4 10.5l4 4 8-9",
  close: "M5 5l10 10M15 5 5 15",
  // An order: up or down.
  up: "M10 16V4M5.5 8.5 10 4l4.5 4.5",
  down: "M10 4v12M5.5 11.5 10 16l4.5-4.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
