import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readWatch } from "../../support/extraction.ts";

/** Returns the date of "116234 … €11.000" in a message of April 2026: "2025/7", "2025" or "-". */
function readDate(words: string): string {
  const { year, cardMonth } = readWatch(`116234 ${words} €11.000`);
  return cardMonth === undefined ? `${year ?? "-"}` : `${year ?? "-"}/${cardMonth}`;
}

describe("card dates", () => {
  const cases: readonly [rule: string, words: string, date: string][] = [
    ["a year of four digits", "2021", "2021"],
    ["a year with a year word glued to it", "2021y", "2021"],
    ["a year after a year word", "y2021", "2021"],
    ["two digits with a year word", "23Y", "2023"],
    ["two digits after an apostrophe, in the last century", "'83", "1983"],
    ["two digits next to a condition", "fresh 25", "2025"],
    ["month and year with a slash", "07/2025", "2025/7"],
    ["month and year with a dash", "07-2025", "2025/7"],
    ["month and year with a dot", "7.2025", "2025/7"],
    ["month and two digits", "07/25", "2025/7"],
    ["two digits and a month, as in Hong Kong", "25/11", "2025/11"],
    ["year and month", "2025/3", "2025/3"],
    ["year, dot, N and month", "2025.N3", "2025/3"],
    ["N, month and two digits", "N3/26", "2026/3"],
    ["N, month and a year after a space", "N12 2024", "2024/12"],
    ["N, dot and two digits", "n1.26", "2026/1"],
    ["a month's name", "Dec 2025", "2025/12"],
    ["a month's name with a dot", "Oct. 2022", "2022/10"],
    ["a German month", "März 2024", "2024/3"],
    ["a full date in American order", "5/23/25", "2025/5"],
    ["a date glued to the next word", "11/2024full set", "2024/11"],
    ["the month of a second date with the year of the first", "2025 N10", "2025/10"],
  ];
  for (const [rule, words, date] of cases) test(rule, () => assert.equal(readDate(words), date));

  test("a month without a year is the latest such month before the message", () => {
    assert.equal(readDate("N4"), "2026/4");
    assert.equal(readDate("N11"), "2025/11");
  });

  test("a month has no year if neither the text nor the message date gives one", () => {
    const listing = readWatch("126334 N11 €11.000", { messageDate: undefined as never });

    assert.equal(listing.cardMonth, 11);
    assert.equal(listing.year, undefined);
  });
});

describe("dates that do not belong to the watch", () => {
  const cases: readonly [rule: string, words: string][] = [
    ["a service", "serviced in 2018"],
    ["a certificate for a pre-owned watch", "CPO 03/2026"],
    ["an open range", "2017+"],
    ["a closed range", "2019-2021"],
    ["a range with a slash", "2024/25"],
    ["a decade", "1970s"],
    ["a date in the future", "11/2026"],
    ["a number of days", "3-5 days"],
    ["a number of links", "11.5 links"],
  ];
  for (const [rule, words] of cases) test(rule, () => assert.equal(readDate(words), "-"));

  test("a card date before the launch of the reference is left out", () => {
    const listing = readWatch("126710BLNR 12/15 €15.000");

    assert.equal(listing.year, undefined);
    assert.equal(listing.leftOut[0]?.reason, "date_before_launch");
  });

  test("a year after a service that is still needed is the year of the watch", () => {
    assert.equal(readDate("needs service 2009"), "2009");
  });

  test("an open range has a year if only one year is possible", () => {
    assert.equal(readWatch("WTB 5935A new 2026/3+").year, 2026);
  });
});
