import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PARTS_MAX } from "../../src/messages/gateways/payload.ts";
import { readWaha } from "../../src/messages/gateways/waha.ts";
import {
  aGroupEvent,
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  aStatusEvent,
  envelope,
  GROUP,
  SENDER,
  SESSION_A,
  SESSION_B,
} from "../support/waha.ts";

const AT_S = 1_787_217_330;

test("a message is read the same from every engine", () => {
  for (const engine of ["GOWS", "WEBJS", "NOWEB", "WPP"] as const) {
    const reading = read(aMessageEvent({ session: { ...SESSION_A, engine } }));
    const [session, message] = factsOf(reading);
    assert.deepEqual(message, {
      kind: "message",
      group: GROUP,
      rawId: "3A5B0C1D2E3F40516273",
      senderIds: [`lid:${SENDER.lid}`, `phone:${SENDER.phone}`],
      senderName: SENDER.name,
      isOwn: false,
      text: "WTS 126610LN 2024 full set HKD 98,500",
      hasMedia: false,
      sentAtMs: AT_S * 1000,
      session: SESSION_A.name,
    });
    assert.equal(session?.kind === "session" && session.engine, engine);
  }
});

test("the digits of a LID are never a phone number, and a device number is not part of the account", () => {
  const event = aMessageEvent({ addressing: "lid" });
  event.payload = { ...event.payload, participant: `${SENDER.lid}:31@lid` } as never;

  const [, message] = factsOf(read(event));

  assert.deepEqual(message?.kind === "message" && message.senderIds, [`lid:${SENDER.lid}`]);
});

test("the LID of an account that Meta hosts is none of a number, with and without its number beside it", () => {
  const hosted = {
    Sender: `${SENDER.lid}:99@hosted.lid`,
    SenderAlt: `${SENDER.phone}@s.whatsapp.net`,
  };
  const idsOf = (Info: object) => {
    const event = aMessageEvent();
    const participant = `${SENDER.lid}@c.us`;
    const id = `false_${GROUP}_AA_${participant}`;
    event.payload = { ...event.payload, id, participant, _data: { Info } } as never;
    const [, message] = factsOf(read(event));
    return message?.kind === "message" && message.senderIds;
  };

  assert.deepEqual(idsOf(hosted), [`lid:${SENDER.lid}`, `phone:${SENDER.phone}`]);
  assert.deepEqual(idsOf({ Sender: hosted.Sender }), [`lid:${SENDER.lid}`]);
  assert.deepEqual(idsOf({ Sender: `${SENDER.phone}:99@hosted` }), [`phone:${SENDER.phone}`]);
});

test("a sender without a name of his own is shown by his username", () => {
  const session = { ...SESSION_A, engine: "NOWEB" } as const;
  const nameOf = (data: object) => {
    const event = aMessageEvent({ session });
    event.payload = { ...event.payload, _data: data } as never;
    const [, message] = factsOf(read(event));
    return message?.kind === "message" && message.senderName;
  };
  const key = { participantUsername: "lena.watches" };

  assert.equal(nameOf({ key }), "@lena.watches");
  assert.equal(nameOf({ key, pushName: "Lena" }), "Lena");
});

test("an own message has all identifiers of the session's account", () => {
  const [, message] = factsOf(read(aMessageEvent({ isOwn: true, session: SESSION_B })));

  assert.ok(message?.kind === "message" && message.isOwn);
  assert.ok(message.senderIds.includes(`phone:${SESSION_B.phone}`));
  assert.ok(message.senderIds.includes(`lid:${SESSION_B.lid}`));
});

test("an edit has the id of the original, and the time of the event if the engine sends no edit time", () => {
  const edit = { rawId: "AA", text: "97,000", atS: AT_S + 60 };
  const gows = factsOf(read(anEditEvent(edit)))[1];
  const body = anEditEvent({ ...edit, session: SESSION_B });
  const webjs = factsOf(read({ ...body, payload: { ...body.payload, timestamp: AT_S } }))[1];

  for (const fact of [gows, webjs]) {
    assert.deepEqual(fact, {
      kind: "edit",
      group: GROUP,
      rawId: "AA",
      authorIds: [`lid:${SENDER.lid}`],
      text: "97,000",
      editedAtMs: (AT_S + 60) * 1000,
    });
  }
});

test("a revocation has the raw id of the original, or on WEBJS its own id", () => {
  const named = factsOf(read(aRevokeEvent({ rawId: "AA", atS: AT_S })))[1];
  const unnamed = factsOf(
    read(
      envelope(SESSION_B, AT_S * 1000, "message.revoked", {
        after: { id: `false_${GROUP}_BB_${SENDER.phone}@c.us`, body: null },
        before: null,
      }),
    ),
  )[1];

  assert.deepEqual(named, {
    kind: "revoke",
    group: GROUP,
    rawId: "AA",
    authorIds: [`lid:${SENDER.lid}`],
    atMs: AT_S * 1000,
  });
  assert.deepEqual(unnamed, {
    kind: "revoke",
    group: GROUP,
    rawId: "BB",
    authorIds: [`phone:${SENDER.phone}`],
    atMs: AT_S * 1000,
  });
});

test("a status has the time of its own entry, and a restriction on sending is read", () => {
  const event = aStatusEvent({ status: "FAILED", atMs: AT_S * 1000 });
  const locked = envelope(SESSION_A, AT_S * 1000, "session.status", {
    status: "WORKING",
    statuses: [
      { status: "WORKING", timestamp: 1_787_000_000_000 },
      { status: "STARTING", timestamp: 1_787_100_000_000 },
      { status: "WORKING", timestamp: 1_787_200_000_000 },
    ],
    data: { reachoutTimelock: { isActive: true } },
  });

  const [plain] = factsOf(read(event));
  const [restricted] = factsOf(read(locked));

  assert.deepEqual(plain?.kind === "session" && plain.status, {
    text: "FAILED",
    atMs: AT_S * 1000,
    isRestricted: false,
  });
  assert.deepEqual(restricted?.kind === "session" && restricted.status, {
    text: "WORKING",
    atMs: 1_787_200_000_000,
    isRestricted: true,
  });
});

test("a group event contains the group's name and the identifiers of its members, with a time in seconds or milliseconds", () => {
  const named = factsOf(read(aGroupEvent({ name: "EU only", atMs: AT_S * 1000 })))[1];
  const members = factsOf(
    read(
      envelope(SESSION_B, AT_S * 1000, "group.v2.participants", {
        timestamp: AT_S,
        type: "join",
        group: { id: GROUP },
        participants: [
          { id: `${SENDER.lid}@lid`, pn: `${SENDER.phone}@c.us`, role: "participant" },
        ],
      }),
    ),
  )[1];

  assert.deepEqual(named, { kind: "group", group: GROUP, name: "EU only", atMs: AT_S * 1000 });
  assert.deepEqual(members, {
    kind: "identity",
    identifiers: [`lid:${SENDER.lid}`, `phone:${SENDER.phone}`],
    atMs: AT_S * 1000,
  });
});

test("an event of a private chat says its session and what it was only, and its body is not stored", () => {
  const events = [
    aMessageEvent({ group: "447700900199@c.us" }),
    aMessageEvent({ group: "199900000000777@lid" }),
    aMessageEvent({ group: "status@broadcast" }),
    anEditEvent({ group: "447700900199@c.us", rawId: "AA", text: "x", atS: AT_S }),
    aRevokeEvent({ group: "447700900199@c.us", rawId: "AA", atS: AT_S }),
    envelope(SESSION_A, AT_S * 1000, "presence.update", { id: "447700900199@c.us", presences: [] }),
    envelope(SESSION_A, AT_S * 1000, "call.received", { id: "x", from: "447700900199@c.us" }),
    envelope(SESSION_A, AT_S * 1000, "poll.vote", {
      vote: { id: "false_447700900199@c.us_AA", selectedOptions: ["my secret"] },
      poll: { id: "true_447700900199@c.us_BB", from: "447700900199@c.us" },
    }),
    envelope(SESSION_A, AT_S * 1000, "engine.event", {
      event: "events.Message",
      data: {
        Info: { Chat: "447700900199@s.whatsapp.net" },
        Message: { conversation: "my secret" },
      },
    }),
  ];

  for (const event of events) {
    const reading = read(event);
    assert.ok(reading.kind === "facts" && reading.isPrivate, event.event);
    const [session, heard, ...others] = reading.facts;
    assert.equal(session?.kind, "session");
    assert.deepEqual(Object.keys(heard ?? {}), ["kind", "ignoredAs"]);
    assert.deepEqual(others, []);
  }
});

test("a body that cannot be read is kept only if it is JSON about a group", () => {
  const invitation = { groupJid: GROUP };
  const isPrivate = (body: string) => readWaha(Buffer.from(body)).isPrivate;
  const unknown = (payload: object) =>
    JSON.stringify(envelope(SESSION_A, AT_S * 1000, "poll.closed", payload));
  const malformed = (payload: object) =>
    JSON.stringify(envelope(SESSION_A, AT_S * 1000, "message", payload));

  for (const body of [
    "my secret",
    "{}",
    unknown({ chat: { id: "447700900199@c.us" }, text: "my secret" }),
    unknown({ number: "447700900199", text: "my secret" }),
    unknown({ text: "my secret" }),
    unknown({ chat: "447700900199@c.us", Message: { contextInfo: { remoteJid: GROUP } } }),
    unknown({ chat: "447700900199@c.us", invitation }),
    `{"from":"447700900199@c.us","body":"see ${GROUP}`,
    `{"from":"${GROUP}"`,
    malformed({ id: "nonsense", from: "447700900199@c.us", body: "my secret" }),
    malformed({ id: "nonsense", from: "447700900199@c.us", body: GROUP, _data: invitation }),
  ]) {
    assert.ok(isPrivate(body), body);
  }
  for (const body of [
    unknown({ chat: { id: { _serialized: GROUP } } }),
    unknown({ ids: [`false_${GROUP}_AA_x`] }),
    malformed({ id: `false_${GROUP}_AA`, timestamp: "soon" }),
    JSON.stringify(aStatusEvent({ status: "WORKING", atMs: AT_S * 1000 })),
  ]) {
    assert.ok(!isPrivate(body), body);
  }
});

test("a large group's event is kept, and names are never cut within a character", () => {
  const participants = Array.from({ length: 30_000 }, (_, at) => ({
    id: `${at}@lid`,
    role: "participant",
  }));
  const group = envelope(SESSION_A, AT_S * 1000, "group.v2.join", {
    group: { id: GROUP, subject: `${"x".repeat(199)}😀`, participants },
    timestamp: AT_S * 1000,
  });

  const reading = read(group);

  const [, fact] = factsOf(reading);
  assert.equal(reading.isPrivate, false);
  assert.equal(fact?.kind === "group" && fact.name, "x".repeat(199));
  const odd = aMessageEvent({ rawId: "A\u0000B" });
  const unreadable = read(odd);
  assert.equal(unreadable.kind, "quarantined");
});

test("known events that we do not need are not quarantined", () => {
  const reading = read(
    envelope(SESSION_A, AT_S * 1000, "message.reaction", {
      id: `false_${GROUP}_AA_x`,
      from: GROUP,
      reaction: { text: "👍" },
    }),
  );

  assert.ok(reading.kind === "facts" && !reading.isPrivate);
});

test("an event that cannot be read is quarantined with its reason", () => {
  const reasons = {
    not_json: ["{", "", "\ufffd\ufffd", `${"[".repeat(400)}`, "[1]", "null", "42"],
    too_many_parts: ["[".repeat(100_000), `{"event":[${"0,".repeat(PARTS_MAX)}0]}`],
    not_an_event: ['{"event":"message"}', '{"event":"message","session":"x","payload":[]}', "{}"],
    "unknown_event: message.telepathy": [
      JSON.stringify(envelope(SESSION_A, 1, "message.telepathy", {})),
    ],
    "unknown_event: other": [JSON.stringify(envelope(SESSION_A, 1, "\u0000 <x>", {}))],
    malformed_payload: [
      JSON.stringify(envelope(SESSION_A, 1, "message", { id: "nonsense" })),
      JSON.stringify(
        envelope(SESSION_A, 1, "message", { id: `false_${GROUP}_AA_x`, timestamp: "soon" }),
      ),
      JSON.stringify(envelope(SESSION_A, 1, "message.revoked", { after: null })),
    ],
    unstorable_text: [JSON.stringify(aMessageEvent({ text: "LONE" })).replace("LONE", "\\ud800")],
    too_large: [JSON.stringify(aMessageEvent({ text: "x".repeat(200_000) }))],
  };

  for (const [reason, bodies] of Object.entries(reasons)) {
    for (const body of bodies) {
      const reading = readWaha(Buffer.from(body));
      assert.ok(reading.kind === "quarantined" && reading.reason === reason, body.slice(0, 80));
    }
  }
  assert.equal(readWaha(Buffer.from([0x7b, 0xff, 0x7d])).kind, "quarantined");
});

test("an answer that was requested from the gateway is read like an event that it posted", () => {
  const pull = (kind: string, data: unknown) =>
    factsOf(read({ assay_pull: kind, session: "recv-hk-1", at_ms: AT_S * 1000, data }));

  const [session] = pull("sessions", [
    {
      name: "recv-hk-1",
      status: "WORKING",
      me: { id: "447700900101@c.us" },
      engine: { engine: "GOWS" },
    },
  ]);
  const groups = [
    pull("groups", { [GROUP]: { id: GROUP, subject: "EU" } }),
    pull("groups", [{ JID: GROUP, Name: "EU" }]),
    pull("groups", [{ id: { _serialized: GROUP }, name: "EU" }]),
  ];
  const [identity] = pull("lids", [
    { lid: "1@lid", pn: "2@c.us" },
    { lid: "3@lid", pn: null },
  ]);
  const [message] = pull("messages", [aMessageEvent().payload, "nonsense"]);

  assert.ok(session?.kind === "session" && session.status?.text === "WORKING");
  for (const [group] of groups) assert.ok(group?.kind === "group" && group.name === "EU");
  assert.deepEqual(identity?.kind === "identity" && identity.identifiers, ["lid:1", "phone:2"]);
  assert.ok(message?.kind === "message" && message.session === "recv-hk-1");
});

test("the reader never throws, for any body", () => {
  const parts = fc.constantFrom(
    "id",
    "event",
    "session",
    "payload",
    "message",
    "me",
    "timestamp",
    GROUP,
  );
  const body = fc.oneof(
    fc.json(),
    fc.dictionary(parts, fc.jsonValue()).map((value) => JSON.stringify(value)),
    fc.jsonValue().map((payload) => JSON.stringify({ ...aMessageEvent(), payload })),
    fc.jsonValue().map((me) => JSON.stringify({ ...aMessageEvent(), me })),
    fc.string({ unit: "binary" }),
  );

  fc.assert(
    fc.property(body, (text) => {
      readWaha(Buffer.from(text));
    }),
    { numRuns: 3000 },
  );
});

function read(body: object) {
  return readWaha(Buffer.from(JSON.stringify(body)));
}

function factsOf(reading: ReturnType<typeof readWaha>) {
  assert.equal(reading.kind, "facts", JSON.stringify(reading));
  return reading.kind === "facts" ? reading.facts : [];
}
