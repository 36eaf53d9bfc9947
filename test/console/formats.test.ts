import assert from "node:assert/strict";
import { test } from "node:test";
import { formatClause } from "../../console/pages/listing/format-clause.ts";
import { isConsolePath, matchPath } from "../../console/paths.ts";
import {
  formatAge,
  formatAgo,
  formatAmount,
  formatBadge,
  formatShare,
} from "../../console/words/formats.ts";

test("minor units are hundredths for every currency, also for those that have none", () => {
  const shown = (minor: number, currency: string) => formatAmount({ minor, currency });

  assert.equal(shown(15_700_00, "EUR"), "€15,700");
  assert.equal(shown(398_000_00, "HKD"), "HK$398,000");
  assert.equal(shown(2_150_000_00, "JPY"), "JP¥2,150,000");
  assert.equal(shown(4_000_00, "KWD"), "KWD\u00a04,000");
  assert.equal(shown(99_50, "JPY"), "JP¥99.50");
  assert.equal(shown(123_456_789_00, "EUR"), "€123,456,789");
});

test("hundredths are shown of small amounts, and where the figures must add up", () => {
  assert.equal(formatAmount({ minor: 16_510_11, currency: "EUR" }), "€16,510");
  assert.equal(formatAmount({ minor: 16_510_11, currency: "EUR", isExact: true }), "€16,510.11");
  assert.equal(formatAmount({ minor: 12_34, currency: "EUR" }), "€12.34");
});

test("a gain has a plus, a loss a minus, and nothing neither", () => {
  const shown = (minor: number) => formatAmount({ minor, currency: "EUR", isSigned: true });

  assert.deepEqual([shown(810_00), shown(-810_00), shown(0)], ["+€810", "−€810", "€0"]);
});

test("what is not a currency code is shown as it was written", () => {
  assert.equal(formatAmount({ minor: 13_500_00, currency: "USDT" }), "USDT 13,500");
  assert.equal(formatAmount({ minor: 5_00, currency: "<b>", isSigned: true }), "<b> +5");
});

test("an age has one unit, and a time in the future is now", () => {
  const shown = [-5_000, 999, 59_999, 60_000, 3_599_999, 47 * 3_600_000, 48 * 3_600_000].map(
    formatAge,
  );

  assert.deepEqual(shown, ["now", "now", "59 s", "1 min", "59 min", "47 h", "2 d"]);
});

test("ages end in ago, shares have one decimal and no space, and a badge has two digits", () => {
  assert.deepEqual([formatAgo(200), formatAgo(7_200_000)], ["now", "2 h ago"]);
  assert.deepEqual([formatShare(0.1134), formatShare(-0.007)], ["11.3%", "−0.7%"]);
  assert.deepEqual([0, 99, 100].map(formatBadge), ["0", "99", "99+"]);
});

test("a condition that failed is told in words: countries instead of numbers, amounts instead of hundredths", () => {
  assert.equal(
    formatClause({
      member: "country_codes",
      expected: "49 or 1 or 12 more",
      actual: "85260000001",
    }),
    "must be Germany or United States or 12 more, is Hong Kong",
  );
  assert.equal(
    formatClause({
      member: "price",
      expected: "at most 1150000 in hundredths of EUR",
      actual: "1240000 in EUR",
    }),
    "must be at most €11,500, is €12,400",
  );
  assert.equal(
    formatClause({ member: "source_view", expected: "a source view that selects the listing" }),
    "must be a source view that selects the listing",
  );
});

test("a path gives its parameters decoded, and only a whole path matches", () => {
  assert.deepEqual(matchPath("/references/:reference", "/references/5711%2F1A"), {
    reference: "5711/1A",
  });
  for (const path of ["/references/", "/references/a/b", "/references/%E0%A4%A", "/Market", "//"]) {
    assert.equal(matchPath("/references/:reference", path), undefined, path);
  }
  assert.equal(isConsolePath("/listings/7"), true);
  assert.equal(isConsolePath("/docs"), false);
});
