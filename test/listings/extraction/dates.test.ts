import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readWatch } from "../../support/extraction.ts";

/** What is read of "126334 … €11.000" in a message of April 2026: "2025/7", "2025", "-". */
function readDate(words: string): string {
  const { year, cardMonth } = readWatch(`126334 ${words} €11.000`);
  return cardMonth === undefined ? `${year ?? "-"}` : `${year ?? "-"}/${cardMonth}`;
}

describe("card dates", () => {
  const cases: readonly [rule: string, words: string, date: string][] = [
    ["a year of four digits", "2021", "2021"],
    ["a year with its word glued on", "2021y", "2021"],
    ["a year behind its word", "y2021", "2021"],
    ["two digits with a year word", "23Y", "2023"],
    ["two digits behind an apostrophe, of the last century", "'83", "1983"],
    ["two digits alone beside a condition", "fresh 25", "2025"],
    ["month and year with a slash", "07/2025", "2025/7"],
    ["month and year with a dash", "07-2025", "2025/7"],
    ["month and year with a dot", "7.2025", "2025/7"],
    ["month and two digits", "07/25", "2025/7"],
    ["two digits and a month, as Hong Kong writes", "25/11", "2025/11"],
    ["year and month", "2025/3", "2025/3"],
    ["year, dot, N and month", "2025.N3", "2025/3"],
    ["N, month and two digits", "N3/26", "2026/3"],
    ["N, month and a year after a blank", "N12 2024", "2024/12"],
    ["N, dot and two digits", "n1.26", "2026/1"],
    ["a month's name", "Dec 2025", "2025/12"],
    ["a month's name with a dot", "Oct. 2022", "2022/10"],
    ["a German month", "März 2024", "2024/3"],
    ["a whole date in American order", "5/23/25", "2025/5"],
    ["a date glued to the next word", "11/2024full set", "2024/11"],
    ["the month of a second date with the year of the first", "2025 N10", "2025/10"],
  ];
  for (const [rule, words, date] of cases) test(rule, () => assert.equal(readDate(words), date));

  test("a month alone is the latest such month not after the message", () => {
    assert.equal(readDate("N4"), "2026/4");
    assert.equal(readDate("N11"), "2025/11");
  });

  test("without a message date a month alone has no year", () => {
    const listing = readWatch("126334 N11 €11.000", { messageDate: undefined as never });

    assert.equal(listing.cardMonth, 11);
    assert.equal(listing.year, undefined);
  });
});

describe("dates that are not the watch's", () => {
  const cases: readonly [rule: string, words: string][] = [
    ["a service", "serviced in 2018"],
    ["a certificate of the second hand", "CPO 03/2026"],
    ["an open range", "2017+"],
    ["a closed range", "2019-2021"],
    ["a range over a slash", "2024/25"],
    ["a decade", "1970s"],
    ["a date in the future", "11/2026"],
    ["a span of days", "3-5 days"],
    ["a number of links", "11.5 links"],
  ];
  for (const [rule, words] of cases) test(rule, () => assert.equal(readDate(words), "-"));

  test("a card from before the reference was launched is left out", () => {
    const listing = readWatch("126710BLNR 12/15 €15.000");

    assert.equal(listing.year, undefined);
    assert.equal(listing.leftOut[0]?.reason, "date_before_launch");
  });

  test("a service that is still needed leaves the watch its year", () => {
    assert.equal(readDate("needs service 2009"), "2009");
  });

  test("an open range names the year when only one is left", () => {
    assert.equal(readWatch("WTB 5935A new 2026/3+").year, 2026);
  });
});
