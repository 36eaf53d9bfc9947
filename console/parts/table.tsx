import type { ComponentChildren } from "preact";

/** One column of a table: a name, and what a row shows in it. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
  /** Left out where the table is narrow. */
  readonly isOptional?: boolean;
  /** Takes the space that is left, and is cut with an ellipsis. */
  readonly isWide?: boolean;
}

/** A plain table. A list of thousands of rows needs a virtual one. */
export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The row from which the reader comes. */
  readonly isCurrent?: (row: Row) => boolean;
}) {
  const { columns, rows, keyOf, isCurrent } = props;
  return (
    <table>
      <caption class="sr">{props.caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" class={columnClass(column)} data-column={column.id}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} aria-current={isCurrent?.(row) === true ? "true" : undefined}>
            {columns.map((column) => (
              <td key={column.id} class={columnClass(column)} data-column={column.id}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function columnClass<Row>({ isNumber, isOptional, isWide }: Column<Row>): string {
  const names = [isNumber && "num", isOptional && "optional", isWide && "wide"];
  return names.filter((name) => typeof name === "string").join(" ");
}

/** A short mark in a row. Amber means changed or look, red means suspect; the words say it too. */
export function Tag(props: {
  readonly tone?: "plain" | "warn" | "bad" | "good";
  readonly children: ComponentChildren;
}) {
  return <span class={`tag ${props.tone ?? "plain"}`}>{props.children}</span>;
}

/** Moves the focus to the link of the next or previous row; to the first one if no row has it. */
export function moveRowFocus(links: string, step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(links)];
  const at = all.findIndex((link) => link.closest("tr")?.contains(document.activeElement) === true);
  const next = all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)];
  next?.focus({ preventScroll: true });
  next?.closest("tr")?.scrollIntoView({ block: "nearest" });
}
