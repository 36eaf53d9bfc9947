import assert from "node:assert/strict";
import { test } from "node:test";
import { wallClockOf } from "../../src/base/time-zone.ts";
import { parseChatExport } from "../../src/messages/gateways/chat-export.ts";

const UTC = wallClockOf("UTC");
const parse = (text: string) => parseChatExport(text, { group: "EU Dealers", toUtcMs: UTC });

test("an iOS export is read: seconds, brackets, system notes, attachments", () => {
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

test("an Android export is read: AM and PM, month first, other separators", () => {
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

test("a message that was sent twice in one minute is two messages, with the same ids on every import", () => {
  const text = "20/08/2026, 09:15 - Lena: up\n20/08/2026, 09:15 - Lena: up";

  assert.deepEqual(
    parse(text).map(({ repeat }) => repeat),
    [0, 1],
  );
  assert.deepEqual(parse(text), parse(text));
});

test("local times are converted with the summer time of the zone", () => {
  const toUtcMs = wallClockOf("Europe/Amsterdam");
  const wall = { year: 2026, month: 7, day: 1, hour: 12, minute: 0, second: 0 };

  assert.equal(toUtcMs(wall), Date.UTC(2026, 6, 1, 10));
  assert.equal(toUtcMs({ ...wall, month: 1 }), Date.UTC(2026, 0, 1, 11));
  assert.throws(() => wallClockOf("Europe/Atlantis"), /no time zone "Europe\/Atlantis"/);
});

test("a text that is not an export has no messages", () => {
  assert.deepEqual(parse("hello\nworld: yes\n"), []);
});
