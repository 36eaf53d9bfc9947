import { type Signal, useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import type { ListingReading } from "../../client/assay-client.ts";
import { isPresenting } from "../state/preferences.ts";
import { formatCount, hidePhones } from "../words/formats.ts";
import { readingWords } from "../words/reading.ts";
import { Button } from "./button.tsx";
import { findExcerpts, type TextMark, type TextPiece, toPieces } from "./text-pieces.ts";

/** The colour of a field's words. Fields of one kind share it; the words beside it say which field it is. */
const HUES: Readonly<Record<string, string>> = {
  reference: "blue",
  brand: "blue",
  model: "blue",
  dial_type: "blue",
  variant: "blue",
  year: "violet",
  card_month: "violet",
  condition: "warn",
  price: "accent",
  currency: "accent",
  alternative_price: "accent",
};
/** Where values share words, the first of these gives them their colour. */
const ORDER = ["price", "year", "condition", "full_set_status", "reference"];
const REFUSED = /^refused-\d+-/;
/** The mark of a line about another watch. No field has this name. */
const OTHER = "other";
const NO_MARKS: readonly TextMark[] = [];

/** A message as it was written, with the words that were read underlined. It is always text, never markup. */
export function MessageText(props: {
  readonly text: string;
  readonly marks: readonly TextMark[];
  /** The lines about other watches. */
  readonly dimmed?: readonly TextMark[];
  /** The fields that the reader points at. With it, words can be pointed at and take the focus. */
  readonly active?: Signal<readonly string[]>;
  readonly onPress?: (field: string) => void;
}) {
  const { text, marks, dimmed = NO_MARKS } = props;
  const all = useMemo(() => [...marks, ...dimmed], [marks, dimmed]);
  const isWhole = useSignal(false);
  const excerpts = useMemo(() => findExcerpts(text, marks), [text, marks]);
  const whole = { start: 0, end: text.length };
  const shown = isPresenting.value ? hidePhones(text) : text;
  if (text === "") return <p class="soft">{readingWords.noText}</p>;
  const hasMore = excerpts.length > 1 || excerpts[0]?.end !== text.length;
  const ranges = isWhole.value ? [whole] : excerpts;
  return (
    <>
      <div class="message" dir="auto">
        {ranges.map((range, at) => (
          <Fragment key={range.start}>
            {at === 0 ? null : <Gap />}
            {toPieces(range, all).map((piece) => (
              <Word
                key={piece.start}
                piece={piece}
                words={shown.slice(piece.start, piece.end)}
                active={props.active}
                onPress={props.onPress}
              />
            ))}
          </Fragment>
        ))}
        {hasMore && !isWhole.value ? <Gap /> : null}
      </div>
      {hasMore ? (
        <Button
          onPress={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? readingWords.showLess : readingWords.showAll(formatCount(text.length))}
        </Button>
      ) : null}
    </>
  );
}

/** The words of all values, those that were not used included. */
export function toMarks(reading: Pick<ListingReading, "fields" | "left_out">): readonly TextMark[] {
  const { fields, left_out } = reading;
  return [
    ...fields.flatMap(({ field, spans }) => spans.map((span) => ({ ...span, field }))),
    ...left_out.flatMap(({ field, spans }, at) =>
      spans.map((span) => ({ ...span, field: refusedId(at, field) })),
    ),
  ];
}

/** The lines about other watches. Those that follow each other are one mark, so a long list has few. */
export function toDimmed({ lines }: Pick<ListingReading, "lines">): readonly TextMark[] {
  const dimmed: TextMark[] = [];
  for (const [at, { start, end, role }] of lines.entries()) {
    const last = dimmed.at(-1);
    if (role !== OTHER) continue;
    if (last !== undefined && lines[at - 1]?.role === OTHER)
      dimmed[dimmed.length - 1] = { ...last, end };
    else dimmed.push({ start, end, field: OTHER });
  }
  return dimmed;
}

/** Several values of one field may be refused, so each has a number. */
export function refusedId(at: number, field: string): string {
  return `refused-${at}-${field}`;
}

export function markName(id: string): string {
  const name = readingWords.field(id.replace(REFUSED, ""));
  return REFUSED.test(id) ? readingWords.notUsed(name) : name;
}

export function markHue(ids: readonly string[]): string {
  const used = ids.filter((id) => !REFUSED.test(id));
  if (used.length === 0) return "refused";
  const chosen = ORDER.find((field) => used.includes(field)) ?? used[0] ?? "";
  return HUES[chosen] ?? "plain";
}

function Gap() {
  return (
    <span class="message-gap">
      <span aria-hidden="true">⋯</span>
      <span class="sr">{readingWords.leftOut}</span>
    </span>
  );
}

function Word(props: {
  readonly piece: TextPiece;
  readonly words: string;
  readonly active: Signal<readonly string[]> | undefined;
  readonly onPress: ((field: string) => void) | undefined;
}) {
  const { piece, words, active, onPress } = props;
  const fields = piece.fields.filter((field) => field !== OTHER);
  const [first] = fields;
  if (piece.fields.length === 0) return <>{words}</>;
  if (first === undefined) return <span class="message-other">{words}</span>;
  const isActive = active?.value.some((field) => fields.includes(field)) === true;
  const shared = {
    class: `word hue-${markHue(fields)} ${isActive ? "is-active" : ""}`,
    title: fields.map(markName).join(", "),
    "data-fields": fields.join(" "),
  };
  if (active === undefined) return <mark {...shared}>{words}</mark>;
  const point = (): void => {
    active.value = fields;
  };
  const leave = (): void => {
    active.value = [];
  };
  const press = (): void => onPress?.(first);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a real button cannot break over lines as words do.
    <span
      {...shared}
      role="button"
      tabIndex={0}
      onMouseEnter={point}
      onMouseLeave={leave}
      onFocus={point}
      onBlur={leave}
      onClick={press}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        // Else the same key would press what has the focus then.
        event.preventDefault();
        press();
      }}
    >
      {words}
    </span>
  );
}
