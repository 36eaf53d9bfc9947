import assert from "node:assert/strict";
import { test } from "node:test";
import { utcConverterFor } from "../../src/base/clock.ts";
import {
  type DateOrder,
  fitsDateOrder,
  isDateOrderUnclear,
  parseChatExport,
} from "../../src/messages/gateways/chat-export.ts";

const UTC = utcConverterFor("UTC");
const parse = (text: string) => parseChatExport(text, { group: "EU Dealers", toUtcMs: UTC });
const timesIn = (timeZone: string, text: string) =>
  parseChatExport(text, { group: "EU Dealers", toUtcMs: utcConverterFor(timeZone) }).map(
    (event) => [event.text, new Date(event.sent_at_ms).toISOString()],
  );

test("an iOS export is read with its seconds, brackets, marked system notes and attachments", () => {
  const events = parse(
    [
      "[20/08/2026, 09:15:30] EU Dealers: \u200eMessages and calls are end-to-end encrypted.",
      "[20/08/2026, 09:15:31] ~\u202fLena: WTS 5711/1A",
      "2019 full set",
      "EUR 92.000",
      "[20/08/2026, 09:16:00] \u202a+44\u00a07700\u00a0900123\u202c: \u200eimage omitted",
      "126610LN new",
      "[20/08/2026, 09:17:00] Lena: This message was deleted",
      "[20/08/2026, 09:18:00] Lena: 10.500 \u200e<This message was edited>",
    ].join("\r\n"),
  );

  assert.deepEqual(
    events.map(({ sender_name, sender_phone, text, has_media }) => [
      sender_name ?? sender_phone,
      text,
      has_media,
    ]),
    [
      ["Lena", "WTS 5711/1A\n2019 full set\nEUR 92.000", false],
      ["447700900123", "126610LN new", true],
      ["Lena", "10.500", false],
    ],
  );
  assert.equal(events[0]?.sent_at_ms, Date.UTC(2026, 7, 20, 9, 15, 31));
});

test("an Android export is read with 12-hour times, months first and the separators of other languages", () => {
  const american = parse(
    "8/20/26, 9:15\u202fPM - Kenji: 126500LN\n12/31/25, 12:05\u202fAM - Kenji: hi",
  );
  const german = parse("20.08.26, 21:15 - Lena: 126500LN");
  const finnish = parse("20.8.2026 klo 21.15 - Lena: 126500LN");
  const iso = parse("2026/08/20, 21:15 - Lena: 126500LN");

  assert.equal(american[0]?.sent_at_ms, Date.UTC(2026, 7, 20, 21, 15));
  assert.equal(american[1]?.sent_at_ms, Date.UTC(2025, 11, 31, 0, 5));
  for (const events of [german, finnish, iso]) {
    assert.equal(events[0]?.sent_at_ms, Date.UTC(2026, 7, 20, 21, 15));
  }
});

test("the order of dates is recognised by any part above 12, and unclear only if the difference matters", () => {
  const isUnclear = (...dates: readonly string[]) =>
    isDateOrderUnclear(dates.map((date) => `${date}, 21:15 - Lena: 126500LN`).join("\n"));

  assert.equal(isUnclear("8/7/26", "8/20/26"), false);
  assert.equal(isUnclear("07.08.26", "20.08.26"), false);
  assert.equal(isUnclear("2026/08/07"), false);
  assert.equal(isUnclear("08/08/2026"), false);
  assert.equal(isUnclear("8/7/26", "9/7/26"), true);
});

test("a given order of dates is used, and refused if a date does not exist in it", () => {
  const text = "8/7/26, 21:15 - Lena: 126500LN";
  const sentAtMs = (dateOrder: DateOrder) =>
    parseChatExport(text, { group: "EU Dealers", toUtcMs: UTC, dateOrder })[0]?.sent_at_ms;

  assert.equal(sentAtMs("month-first"), Date.UTC(2026, 7, 7, 21, 15));
  assert.equal(sentAtMs("day-first"), Date.UTC(2026, 6, 8, 21, 15));
  assert.equal(sentAtMs("year-first"), Date.UTC(2008, 6, 26, 21, 15));
  assert.equal(fitsDateOrder("8/20/26, 21:15 - Lena: x", "day-first"), false);
  assert.equal(fitsDateOrder("8/20/26, 21:15 - Lena: x", "month-first"), true);
});

test("the same text sent twice in one minute is two messages, with the same numbers at every reading", () => {
  const text = "20/08/2026, 09:15 - Lena: up\n20/08/2026, 09:15 - Lena: up";

  assert.deepEqual(
    parse(text).map(({ repeat }) => repeat),
    [0, 1],
  );
  assert.deepEqual(parse(text), parse(text));
});

test("local times are read with the zone's summer time", () => {
  const text = "01/01/2026, 12:00 - Lena: winter\n15/07/2026, 12:00 - Lena: summer";

  assert.deepEqual(timesIn("Europe/Amsterdam", text), [
    ["winter", "2026-01-01T11:00:00.000Z"],
    ["summer", "2026-07-15T10:00:00.000Z"],
  ]);
});

test("within a repeated hour, a lower time than the line before starts the second pass", () => {
  const text = [
    "25/10/2026, 01:50 - Lena: a",
    "25/10/2026, 02:10 - Lena: b",
    "25/10/2026, 02:50 - Lena: c",
    "25/10/2026, 02:10 - Lena: d",
    "25/10/2026, 02:50 - Lena: e",
    "25/10/2026, 03:10 - Lena: f",
  ].join("\n");

  assert.deepEqual(timesIn("Europe/Berlin", text), [
    ["a", "2026-10-24T23:50:00.000Z"],
    ["b", "2026-10-25T00:10:00.000Z"],
    ["c", "2026-10-25T00:50:00.000Z"],
    ["d", "2026-10-25T01:10:00.000Z"],
    ["e", "2026-10-25T01:50:00.000Z"],
    ["f", "2026-10-25T02:10:00.000Z"],
  ]);
});

test("a repeated hour whose order shows no second pass is the first pass", () => {
  const text = "25/10/2026, 02:10 - Lena: a\n25/10/2026, 02:50 - Lena: b";

  assert.deepEqual(timesIn("Europe/Berlin", text), [
    ["a", "2026-10-25T00:10:00.000Z"],
    ["b", "2026-10-25T00:50:00.000Z"],
  ]);
});

test("system notes and deleted messages count for the order of times", () => {
  const skipped = ["Lena joined using this group's invite link", "Kenji: This message was deleted"];

  for (const note of skipped) {
    const text = `2026/11/01, 01:50 - ${note}\n2026/11/01, 01:10 - Lena: a`;
    assert.deepEqual(timesIn("America/New_York", text), [["a", "2026-11-01T06:10:00.000Z"]]);
  }
});

test("a clock that is set back by half an hour or at midnight repeats its times too", () => {
  const lordHowe = [
    "05/04/2026, 01:40 - Lena: a",
    "05/04/2026, 01:35 - Lena: b",
    "05/04/2026, 02:05 - Lena: c",
  ].join("\n");
  const santiago = [
    "04/04/2026, 23:40 - Lena: a",
    "04/04/2026, 23:20 - Lena: b",
    "05/04/2026, 00:05 - Lena: c",
  ].join("\n");

  assert.deepEqual(timesIn("Australia/Lord_Howe", lordHowe), [
    ["a", "2026-04-04T14:40:00.000Z"],
    ["b", "2026-04-04T15:05:00.000Z"],
    ["c", "2026-04-04T15:35:00.000Z"],
  ]);
  assert.deepEqual(timesIn("America/Santiago", santiago), [
    ["a", "2026-04-05T02:40:00.000Z"],
    ["b", "2026-04-05T03:20:00.000Z"],
    ["c", "2026-04-05T04:05:00.000Z"],
  ]);
});

test("lines out of order outside a repeated hour keep their times", () => {
  const text = "20/08/2026, 09:15 - Lena: a\n20/08/2026, 09:10 - Lena: b";

  assert.deepEqual(timesIn("Europe/Berlin", text), [
    ["a", "2026-08-20T07:15:00.000Z"],
    ["b", "2026-08-20T07:10:00.000Z"],
  ]);
});

test("a text that is not an export has no messages", () => {
  assert.deepEqual(parse("hello\nworld: yes\n"), []);
});
