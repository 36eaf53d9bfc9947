import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCatalogue } from "../../../src/listings/dealer-catalogue.ts";
import { readMessage, type SourceMessage } from "../../../src/listings/message-reading.ts";
import { applyReplies, type Reply, readReplies } from "../../../src/listings/replies/reply.ts";

const catalogue = await loadCatalogue(undefined);
const POSTED_AT_MS = 1_787_217_330_000;

test("a reply is read by the words and amounts of any other message", () => {
  const said = (text: string) => read("126610LN 2024 full set €12,500", text);

  for (const text of ["SOLD", "sold, thanks", "Verkauft", "已售", "❌", "126610LN sold", "~sold~"])
    assert.equal(said(text), "sold", text);
  for (const text of ["reserved", "on hold"]) assert.equal(said(text), "on_hold", text);
  for (const text of [
    ...["now 11,900", "11900", "11.9k", "€11.900", "Price drop 11,900 EUR", "reduced to 11,900"],
    ...["last price 11900", "126610 11,900", "126610LN 2024 now 11,900", "new price: 11,900 eur"],
  ])
    assert.equal(said(text), "11900 EUR", text);
  assert.equal(said("now HKD 105,000"), "105000 HKD");
  assert.equal(said("sold at 11,900"), "11900 EUR sold");
});

test("a reply that says neither a price nor a status, or is about another watch, changes nothing", () => {
  const said = (text: string) => read("126610LN 2024 full set €12,500", text);

  for (const text of ["thanks", "still available", "not sold yet", "shipping 50€", "call 91234567"])
    assert.equal(said(text), "nothing_said", text);
  assert.equal(said("126710BLRO 2023 €17,500"), "other_reference");
  assert.equal(said("sold, next one 126710BLRO €17,500"), "other_reference");
  assert.equal(said(`sold ${"x".repeat(4_100)}`), "nothing_said");
});

test("a bare amount is in the currency of the ask, and without an ask in that of the group", () => {
  assert.equal(read("126610LN 2024 HKD 100,000", "now 96,000"), "96000 HKD");
  assert.equal(read("126610LN 2024 full set", "12,300", { default_currency: "EUR" }), "12300 EUR");
  assert.equal(read("126610LN 2024 full set", "12,300"), "nothing_said");
});

test("of several watches the reply names one, whole or by its base number", () => {
  const post = "126610LN 2024 €12,500\n126610LV 2024 €13,500\n126710BLRO 2023 €17,500";
  const twice = "126610LN 2024 €12,500\n126610LN 2022 €11,500";

  assert.equal(read(post, "sold"), "several_listings");
  assert.equal(read(post, "126610 sold"), "several_references");
  assert.equal(read(post, "126610LV sold"), "#1 sold");
  assert.equal(read(post, "126710 now €17,000"), "#2 17000 EUR");
  assert.equal(read(twice, "126610LN sold"), "several_references");
  assert.equal(read("5711/1A-010 2019 €98,000\n5711/1R 2019 €150,000", "5711/1A sold"), "sold");
  assert.equal(
    read("5980/1A 2019 €98,000\n5711/1R 2019 €150,000", "5980/1AR sold"),
    "other_reference",
  );
});

test("a reply that names no watch is about the one that the nearest reply above it names", () => {
  const post = "126610LN 2024 €12,500\n126710BLRO 2023 €17,500";
  const said = (text: string, ...links: readonly string[]) => read(post, text, { links });

  assert.equal(said("sold", "126710 now 17,000"), "#1 sold");
  assert.equal(said("now 12,000", "still available", "126610LN sold"), "12000 EUR");
  assert.equal(said("sold", "126610LN still here", "126710 now 17,000"), "sold");
  assert.equal(said("126610LN sold", "126710 now 17,000"), "sold");
  assert.equal(said("sold", "126500LN 2022 €25,000"), "other_reference");
  assert.equal(said("sold", "126610LN and 126710BLRO 2023 still here"), "several_listings");
  assert.equal(said("126610LN sold", `126610LN ${"x".repeat(4_100)}`), "nothing_said");
  assert.equal(read("126610LN 2024 €12,500", "sold", { links: ["now 12,000"] }), "sold");
});

test("the newest reply that says something about a field wins, and a reply before the last post does not count", () => {
  const quoted = aPost("126610LN 2024 €12,500 / HKD 110,000");
  const replies = [
    aReply("thanks", 4),
    aReply("now 12,000", 3),
    aReply("on hold", 2),
    aReply("sold at 12,200", 1),
    aReply("now 9,000", -1),
  ];

  const [listing] = applyReplies(quoted, readReplies(quoted, replies, catalogue)).listings;

  assert.equal(listing?.status, "on_hold");
  assert.deepEqual(listing.price, { amountMinor: 1_200_000, currency: "EUR" });
  assert.equal(listing.alternativePrice, undefined);
  assert.deepEqual(
    listing.asks?.map(({ price, isReply }) => [price.amountMinor, isReply]),
    [
      [1_250_000, false],
      [1_220_000, true],
      [1_200_000, true],
    ],
  );
});

/** What one reply says: the listing if it is not the first, the price, the status, or why nothing. */
function read(post: string, text: string, more: Partial<Reply> = {}): string {
  const [result] = readReplies(aPost(post), [{ ...aReply(text, 1), ...more }], catalogue);
  if (result?.kind !== "update") return result?.reason ?? "";
  const { at, price, status } = result.update;
  return [
    ...(at === 0 ? [] : [`#${at}`]),
    ...(price === undefined ? [] : [`${price.amountMinor / 100} ${price.currency}`]),
    ...(status === undefined ? [] : [status]),
  ].join(" ");
}

function aPost(text: string) {
  const message: SourceMessage = {
    id: "m",
    contact_id: "c",
    text,
    first_seen_at_ms: POSTED_AT_MS,
    last_seen_at_ms: POSTED_AT_MS,
    occurrence_count: 1,
    group_ids: [],
    has_media: false,
    is_revoked: false,
    is_own: false,
    phone_number: "447700900123",
    default_currency: null,
  };
  const reading = readMessage(message, catalogue);
  assert.equal(reading.kind, "listings");
  return { message, extraction: reading.extraction };
}

function aReply(text: string, minute: number): Reply {
  return {
    occurrence_id: `o${minute}`,
    canonical_message_id: "m",
    reply_message_id: "r",
    replied_at_ms: POSTED_AT_MS + minute * 60_000,
    text,
    links: [],
    default_currency: null,
    is_revoked: false,
    is_by_sender: true,
  };
}
