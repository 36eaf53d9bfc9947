import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OperatorError } from "../../src/base/errors.ts";
import { parseLabelText } from "../../src/listings/label-text.ts";

/** The only watch of "x => …". */
function parseWatch(result: string) {
  const [label] = parseLabelText(`x\n=> ${result}`);
  return label?.expected.listings[0];
}

describe("labels in plain text", () => {
  test("a message has one or several lines, and each line behind => is a watch", () => {
    const labels = parseLabelText(
      "# Lists\nUSED\n\n126334 €9.500\n126333 €11.200\n=> sell 126334\n=> sell 126333\n\nNTQ 5711 => want 5711",
    );

    assert.deepEqual(
      labels.map(({ line, title, input, expected }) => [line, title, input.text, expected]),
      [
        [
          2,
          "Lists",
          "USED\n\n126334 €9.500\n126333 €11.200",
          {
            side: "for_sale",
            listings: [
              { side: "for_sale", reference: "126334" },
              { side: "for_sale", reference: "126333" },
            ],
          },
        ],
        [
          9,
          "Lists",
          "NTQ 5711",
          { side: "want_to_buy", listings: [{ side: "want_to_buy", reference: "5711" }] },
        ],
      ],
    );
  });

  test("the context holds up to the next title, and names what differs from the first", () => {
    const labels = parseLabelText(
      "[EUR 2026-04]\n! must hold\na => nothing\n[HKD +852]\nb => nothing\n[no currency no date]\nc => nothing\n# Next\nd => nothing\n[WTS]\n=> nothing",
    );

    const eur = { default_currency: "EUR", message_date: "2026-04" };
    assert.deepEqual(
      labels.map(({ input }) => input),
      [
        { text: "a", ...eur },
        { text: "b", ...eur, default_currency: "HKD", sender_country: "852" },
        { text: "c" },
        { text: "d", ...eur },
        { text: "[WTS]", ...eur },
      ],
    );
    assert.deepEqual(new Set(labels.map(({ mode }) => mode)), new Set(["must hold"]));
  });

  test("nothing can have reasons, and every message tags", () => {
    const [nothing, watch] = parseLabelText(
      "a => nothing no_watch or not_an_offer #part #de\nb => sell Rolex #offer",
    );

    assert.deepEqual(nothing?.expected, { side: "none", listings: [] });
    assert.deepEqual(nothing?.rejections, ["no_watch", "not_an_offer"]);
    assert.deepEqual(nothing?.tags, ["part", "de"]);
    assert.deepEqual(watch?.tags, ["offer"]);
  });

  test("a watch is written in words, and only what they name is asserted", () => {
    assert.deepEqual(
      parseWatch(
        'want A. Lange & Söhne 191.032 key 191032 model "Lange 1" dial "pink gold" variant Panda 2021/7 like_new watch_card 9500.50 EUR or 80000 HKD retail 12100 EUR on_hold left_out several_prices',
      ),
      {
        side: "want_to_buy",
        brand: "A. Lange & Söhne",
        reference: "191.032",
        reference_normalized: "191032",
        model: "Lange 1",
        dial_type: "pink gold",
        variant: "Panda",
        year: 2021,
        card_month: 7,
        condition: "LIKE_NEW",
        full_set_status: ["WATCH_AND_CARD"],
        price: { amount_minor: 950_050, currency: "EUR" },
        alternative_price: { amount_minor: 8_000_000, currency: "HKD" },
        retail_price: { amount_minor: 1_210_000, currency: "EUR" },
        status: "on_hold",
        left_out: ["several_prices"],
      },
    );
    assert.deepEqual(parseWatch("Rolex reference 1908 2024 no price no condition no set month 3"), {
      brand: "Rolex",
      reference: "1908",
      year: 2024,
      price: null,
      condition: null,
      full_set_status: null,
      card_month: 3,
    });
    assert.deepEqual(parseWatch('"5740/ 1G" 93000 ?'), {
      reference: "5740/ 1G",
      price: { amount_minor: 9_300_000, currency: null },
    });
  });

  test("a backslash writes what would mean something else", () => {
    const [label] = parseLabelText("\\#1 a \\=> b\\\\\\t\\u{200B}\n\\\n\\u{20}\n=> nothing");

    assert.equal(label?.input.text, "#1 a => b\\\t\u200B\n\n ");
  });

  test("what cannot be read is rejected with its line", () => {
    for (const [text, message] of [
      ["a => nothing\n\nb", /^line 3: a message without =>/],
      ["a => sell 126334 9500 EUR 5711", /^line 1: "5711" is a second reference/],
      ["a => sell 126334 fullset", /^line 1: "fullset" is no known word/],
      ["a => sell 126334 no box", /^line 1: "no box" must name one of/],
      ["a => sell 126334 retail 9500", /^line 1: "9500 " is no amount/],
      ["a\n=> nothing\n=> sell 5711", /^line 1: "nothing" is the only result/],
    ] as const) {
      assert.throws(
        () => parseLabelText(text),
        (error) => error instanceof OperatorError && message.test(error.message),
      );
    }
  });
});
