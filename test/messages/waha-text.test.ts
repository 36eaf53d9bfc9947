import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import type { GatewayFact } from "../../src/messages/gateway-event.ts";
import { readWaha } from "../../src/messages/gateways/waha.ts";
import { process } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import {
  aMessageEvent,
  anEditEvent,
  SESSION_A,
  SESSION_B,
  type WahaSession,
} from "../support/waha.ts";

const ENGINES = ["GOWS", "WEBJS", "NOWEB", "WPP"] as const;
/** Chance letters can look like a watch. These do for certain. */
const WATCH = "126610LN/15000EUR";
const PICTURES = {
  jpeg: `/9j/4AAQSkZJRgABAQAAAQABAAD/${WATCH}/2wBDAAYEBQYF`,
  png: `iVBORw0KGgoAAAANSUhEUgAA/${WATCH}/AAAB==`,
  webp: `UklGRiQAAABXRUJQVlA4/${WATCH}/AAAB=`,
  gif: `R0lGODlhAQABAIAAAAUEBA/${WATCH}/AAAB`,
  "data url": `data:image/jpeg;base64,/9j/4AAQSkZJRg/${WATCH}/AAAB`,
};
const AT_S = 1_787_217_330;
const CAPTION = "126610LN 2023 full set EUR 12.230";

test("a picture in base64 is no text, whatever the engine", () => {
  for (const engine of ENGINES) {
    for (const [kind, picture] of Object.entries(PICTURES)) {
      const session = { ...SESSION_A, engine };
      const event = aMessageEvent({ session, text: picture, hasMedia: true });
      assert.equal(textOf(event), "", `${engine} ${kind}`);
    }
  }
});

test("a picture of more characters than a text may have is no reason to refuse the message", () => {
  const large = `/9j/${randomBytes(150_000).toString("base64")}`;

  assert.equal(textOf(aMessageEvent({ text: large, hasMedia: true })), "");
});

test("a text that only mentions the start of a picture stays a text", () => {
  for (const text of ["/9j/ is how it begins, 126610LN €9,500", "/9j/4AAQ\n126610LN €9,500"]) {
    assert.equal(textOf(aMessageEvent({ text })), text);
  }
});

test("on the engines of WhatsApp Web the type says whether the body is a text", () => {
  const texts = [
    ...["location", "live_location", "order", "groups_v4_invite", "sticker"],
    ...["vcard", "multi_vcard", "payment", "ptt", "audio", "notification_template"],
  ].map((type) => textOf(aTypedEvent(type, "Rolex 126610LN 15000 EUR")));
  const written = ["chat", "image", "video", "document", "poll_creation", "interactive"].map(
    (type) => textOf(aTypedEvent(type, CAPTION)),
  );

  assert.deepEqual(new Set(texts), new Set([undefined]));
  assert.deepEqual(new Set(written), new Set([CAPTION]));
});

test("a picture that is not loaded yet has its caption as text", () => {
  const event = aTypedEvent("image", PICTURES.jpeg, { caption: CAPTION });

  assert.equal(textOf(event), CAPTION);
});

test("an edit has the caption of the message beside it, not the thumbnail that changed", () => {
  const [, fact] = factsOf(aThumbnailEdit({ body: CAPTION, type: "image" }));

  assert.equal(fact?.kind === "edit" && fact.text, CAPTION);
});

test("an edit has the time at which its sender made it, in every engine", () => {
  const sentMs = (AT_S + 90) * 1000 + 250;
  const timeOf = (session: WahaSession, data: object) => {
    const event = anEditEvent({ session, rawId: "AA", text: "97,000", atS: AT_S + 100 });
    event.payload = { ...event.payload, timestamp: AT_S + 100, _data: data } as never;
    const [, edit] = factsOf(event);
    return edit?.kind === "edit" && edit.editedAtMs;
  };
  const edited = { conversation: "97,000" };
  const noweb = { ...SESSION_A, engine: "NOWEB" } as const;
  const inNoweb = (timestampMs: unknown) => {
    const key = { id: "AA" };
    const protocolMessage = { key, type: "MESSAGE_EDIT", editedMessage: edited, timestampMs };
    return { message: { protocolMessage } };
  };
  const inGows = {
    protocolMessage: { key: { ID: "AA" }, type: 14, editedMessage: edited, timestampMS: sentMs },
  };
  const page = { body: "97,000", _data: { type: "chat", latestEditSenderTimestampMs: sentMs } };

  assert.equal(timeOf(noweb, inNoweb(String(sentMs))), sentMs);
  const halves = {
    low: (sentMs % 2 ** 32) | 0,
    high: Math.floor(sentMs / 2 ** 32),
    unsigned: false,
  };
  assert.equal(timeOf(noweb, inNoweb(halves)), sentMs);
  assert.equal(timeOf(SESSION_A, { Message: inGows }), sentMs);
  assert.equal(timeOf(SESSION_B, { message: page }), sentMs);
  // A clock that is wrong by years.
  assert.equal(timeOf(noweb, inNoweb("1500000000000")), (AT_S + 100) * 1000);
});

test("a changed thumbnail without a text beside it is no edit", () => {
  const edits = [
    aThumbnailEdit({ body: PICTURES.jpeg, type: "location" }),
    aThumbnailEdit(undefined),
    aThumbnailEdit({ body: PICTURES.jpeg, type: "image" }),
  ];

  for (const edit of edits) {
    assert.deepEqual(
      factsOf(edit).map(({ kind }) => kind),
      ["session", "heard"],
    );
  }
});

test("a caption that is deleted is an edit to an empty text", () => {
  const [, fact] = factsOf(aThumbnailEdit({ body: "", type: "image" }));

  assert.equal(fact?.kind === "edit" && fact.text, "");
});

test("a NUL is left out of a text, and the message is read", () => {
  const body = JSON.stringify(aMessageEvent({ text: `12NUL6610LN €9,500` })).replace(
    "NUL",
    "\\u0000",
  );

  assert.equal(textOf(body), "126610LN €9,500");
});

test("an item of a catalogue is its title, its text and its price, unless the text beside it names it", () => {
  const product = {
    title: "Rolex 126610LN",
    description: "2023 full set",
    currencyCode: "HKD",
    priceAmount1000: "92970500",
  };
  const of = (productMessage: object) => {
    const event = aMessageEvent({ session: { ...SESSION_A, engine: "NOWEB" }, text: "" });
    const payload = { ...event.payload, body: null, _data: { message: { productMessage } } };
    return textOf({ ...event, payload });
  };

  assert.equal(of({ product }), "Rolex 126610LN\n2023 full set\nHKD 92,970.50");
  assert.equal(
    of({ product: { ...product, salePriceAmount1000: "90000000" } }),
    "Rolex 126610LN\n2023 full set\nHKD 90,000",
  );
  assert.equal(
    of({ product: { ...product, priceAmount1000: "0" }, body: "Available" }),
    "Available\nRolex 126610LN\n2023 full set",
  );
  assert.equal(of({ product, body: "126610LN Rolex, EUR 10,330" }), "126610LN Rolex, EUR 10,330");
});

test("thumbnails and contact cards are no messages, and a changed thumbnail keeps the listing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  // An item of a catalogue has a picture, so it is a message even if nothing is written.
  const thumbnails = ["location", "product", "order", "groups_v4_invite", "vcard"].map((type, at) =>
    aTypedEvent(type, PICTURES.jpeg, {}, `T${at}`),
  );

  await process(pool, [
    ...thumbnails,
    aMessageEvent({ session: SESSION_B, rawId: "AA", text: CAPTION, hasMedia: true }),
    aThumbnailEdit({ body: CAPTION, type: "image" }),
  ]);

  const listings = await pool.query(sql`
    select reference, price_amount_minor, is_hidden from listing order by id`);
  const messages = await pool.query(sql`
    select text, occurrence_count from canonical_message where occurrence_count > 0 order by text`);
  assert.deepEqual(
    listings.map((row) => ({ ...row })),
    [{ reference: "126610LN", price_amount_minor: 1_223_000, is_hidden: false }],
  );
  assert.deepEqual(
    messages.map((row) => row["text"]),
    ["", CAPTION],
  );
});

function aTypedEvent(type: string, text: string, data: object = {}, rawId = "AA") {
  const event = aMessageEvent({ session: SESSION_B, rawId, text });
  const { _data } = event.payload as { readonly _data: object };
  return { ...event, payload: { ...event.payload, _data: { ..._data, type, ...data } } };
}

/** As WEBJS sends it: the new thumbnail as body, and its record of the message beside it. */
function aThumbnailEdit(message: { readonly body: string; readonly type: string } | undefined) {
  const edit = { session: SESSION_B, rawId: "AA", text: PICTURES.jpeg, atS: 1_787_217_390 };
  const event = anEditEvent(edit);
  const { type, ...rest } = message ?? {};
  const beside = { ...rest, type, _data: { type, body: PICTURES.jpeg } };
  const _data = message === undefined ? {} : { message: beside, newBody: PICTURES.jpeg };
  return { ...event, payload: { ...event.payload, _data } };
}

function textOf(event: unknown): string | undefined {
  const fact = factsOf(event).find(({ kind }) => kind === "message");
  return fact?.kind === "message" ? fact.text : undefined;
}

function factsOf(event: unknown): readonly GatewayFact[] {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const reading = readWaha(Buffer.from(body));
  assert.ok(reading.kind === "facts");
  return reading.facts;
}

test("a reply names the message that it quotes, wherever the engine says it", () => {
  const quoted = (payload: object, _data: object = {}) => {
    const event = aMessageEvent({ text: "SOLD" });
    const body = { ...event, payload: { ...event.payload, ...payload, _data } };
    const reading = readWaha(Buffer.from(JSON.stringify(body)));
    const facts: readonly GatewayFact[] = reading.kind === "facts" ? reading.facts : [];
    return facts.flatMap((fact) => (fact.kind === "message" ? (fact.replyTo ?? "") : []))[0];
  };
  const context = (name: string) => ({ contextInfo: { [name]: "QQ01" } });

  assert.equal(quoted({ replyTo: { id: "QQ01" } }), "QQ01");
  assert.equal(quoted({ replyTo: { id: "false_1@g.us_QQ01_2@lid" } }), "QQ01");
  assert.equal(quoted({ replyTo: { body: "…" } }, { quotedStanzaID: "QQ01" }), "QQ01");
  assert.equal(quoted({}, { message: { extendedTextMessage: context("stanzaId") } }), "QQ01");
  assert.equal(quoted({}, { Message: { imageMessage: context("stanzaID") } }), "QQ01");
  const wrapped = { ephemeralMessage: { message: { extendedTextMessage: context("stanzaId") } } };
  assert.equal(quoted({}, { message: wrapped }), "QQ01");
  assert.equal(quoted({ replyTo: null }, { message: { conversation: "SOLD" } }), "");
  assert.equal(quoted({ replyTo: { id: "a\u0000b" } }), "");
});
