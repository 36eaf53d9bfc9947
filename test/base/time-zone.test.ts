import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS, type LocalTime, MINUTE_MS, utcConverterFor } from "../../src/base/clock.ts";

interface Reading {
  readonly zone: string;
  readonly local: string;
  readonly utc: string;
}

test("a time that the clocks show once is read with the offset of that day", () => {
  assertReadings([
    { zone: "Europe/Berlin", local: "2026-01-15 12:00", utc: "2026-01-15T11:00Z" },
    { zone: "Europe/Berlin", local: "2026-07-15 12:00", utc: "2026-07-15T10:00Z" },
    { zone: "America/New_York", local: "2026-01-15 12:00", utc: "2026-01-15T17:00Z" },
    { zone: "America/New_York", local: "2026-07-15 12:00", utc: "2026-07-15T16:00Z" },
    { zone: "Australia/Lord_Howe", local: "2026-01-15 12:00", utc: "2026-01-15T01:00Z" },
    { zone: "Australia/Lord_Howe", local: "2026-07-15 12:00", utc: "2026-07-15T01:30Z" },
    { zone: "Asia/Dubai", local: "2026-03-29 02:30", utc: "2026-03-28T22:30Z" },
    { zone: "Asia/Kathmandu", local: "2026-10-25 02:30", utc: "2026-10-24T20:45Z" },
    { zone: "UTC", local: "2026-10-25 02:30", utc: "2026-10-25T02:30Z" },
  ]);
});

test("a time on either side of a change is read with the offset of its side", () => {
  assertReadings([
    { zone: "Europe/Berlin", local: "2026-03-29 01:59", utc: "2026-03-29T00:59Z" },
    { zone: "Europe/Berlin", local: "2026-03-29 03:00", utc: "2026-03-29T01:00Z" },
    { zone: "Europe/Berlin", local: "2026-10-25 01:59", utc: "2026-10-24T23:59Z" },
    { zone: "Europe/Berlin", local: "2026-10-25 03:00", utc: "2026-10-25T02:00Z" },
    { zone: "America/New_York", local: "2026-03-08 01:59", utc: "2026-03-08T06:59Z" },
    { zone: "America/New_York", local: "2026-03-08 03:00", utc: "2026-03-08T07:00Z" },
    { zone: "America/New_York", local: "2026-11-01 00:59", utc: "2026-11-01T04:59Z" },
    { zone: "America/New_York", local: "2026-11-01 02:00", utc: "2026-11-01T07:00Z" },
    // Clocks in Chile and Lebanon change at midnight, so the date changes with them.
    { zone: "America/Santiago", local: "2025-09-06 23:59", utc: "2025-09-07T03:59Z" },
    { zone: "America/Santiago", local: "2025-09-07 01:00", utc: "2025-09-07T04:00Z" },
    { zone: "Asia/Beirut", local: "2025-03-29 23:59", utc: "2025-03-29T21:59Z" },
    { zone: "Asia/Beirut", local: "2025-03-30 01:00", utc: "2025-03-29T22:00Z" },
  ]);
});

test("a skipped time moves forward by the length of the gap", () => {
  assertReadings([
    { zone: "Europe/Berlin", local: "2026-03-29 02:00", utc: "2026-03-29T01:00Z" },
    { zone: "Europe/Berlin", local: "2026-03-29 02:30", utc: "2026-03-29T01:30Z" },
    { zone: "America/New_York", local: "2026-03-08 02:30", utc: "2026-03-08T07:30Z" },
    { zone: "Australia/Lord_Howe", local: "2026-10-04 02:15", utc: "2026-10-03T15:45Z" },
    { zone: "America/Santiago", local: "2025-09-07 00:30", utc: "2025-09-07T04:30Z" },
    { zone: "Asia/Beirut", local: "2025-03-30 00:30", utc: "2025-03-29T22:30Z" },
    // Samoa skipped a whole day.
    { zone: "Pacific/Apia", local: "2011-12-30 12:00", utc: "2011-12-30T22:00Z" },
  ]);
});

const REPEATED = [
  { zone: "Europe/Berlin", local: "2026-10-25 02:30", utc: "2026-10-25T00:30Z", minutes: 60 },
  { zone: "Europe/Berlin", local: "2026-10-25 02:00", utc: "2026-10-25T00:00Z", minutes: 60 },
  { zone: "America/New_York", local: "2026-11-01 01:30", utc: "2026-11-01T05:30Z", minutes: 60 },
  { zone: "Australia/Lord_Howe", local: "2026-04-05 01:45", utc: "2026-04-04T14:45Z", minutes: 30 },
  { zone: "America/Santiago", local: "2026-04-04 23:30", utc: "2026-04-05T02:30Z", minutes: 60 },
  { zone: "Asia/Beirut", local: "2025-10-25 23:30", utc: "2025-10-25T20:30Z", minutes: 60 },
];

test("a repeated time is read as its first pass", () => {
  assertReadings(REPEATED);
});

test("a repeated time is read as its second pass if the first lies before the message above", () => {
  for (const { zone, local, utc, minutes } of REPEATED) {
    const toUtcMs = utcConverterFor(zone);
    const firstMs = Date.parse(utc);

    assert.equal(toUtcMs(toLocal(local), firstMs), firstMs, `${zone} ${local}`);
    assert.equal(
      toUtcMs(toLocal(local), firstMs + MINUTE_MS),
      firstMs + minutes * MINUTE_MS,
      `${zone} ${local}`,
    );
  }
});

test("the message above changes no time that the clocks show once or skip", () => {
  const toUtcMs = utcConverterFor("Europe/Berlin");

  for (const local of ["2026-07-15 12:00", "2026-10-25 03:00", "2026-03-29 02:30"]) {
    const wall = toLocal(local);
    assert.equal(toUtcMs(wall, Date.parse("2027-01-01T00:00Z")), toUtcMs(wall), local);
  }
});

test("the changes of every year from 2009 on are known", () => {
  const toUtcMs = utcConverterFor("Europe/Berlin");

  for (let year = 2009; year <= 2030; year += 1) {
    const lastSunday = 31 - new Date(Date.UTC(year, 9, 31)).getUTCDay();
    const local = { year, month: 10, day: lastSunday, hour: 2, minute: 30, second: 15 };
    assert.equal(toUtcMs(local), Date.UTC(year, 9, lastSunday, 0, 30, 15), String(year));
  }
});

test("an unknown time zone is refused", () => {
  assert.throws(() => utcConverterFor("Europe/Atlantis"), /no time zone "Europe\/Atlantis"/);
});

const ZONES = [
  "Europe/Berlin",
  "Europe/Dublin",
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "America/Sao_Paulo",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Asia/Beirut",
  "Asia/Tehran",
  "Asia/Kolkata",
  "Africa/Casablanca",
  "UTC",
];

/** Compares with a search: formats every quarter of an hour nearby and keeps those that show the wanted time. */
test("every local time is read as an instant at which the zone's clocks show it", () => {
  const zones = new Map(ZONES.map((zone) => [zone, clockOf(zone)]));
  const anyLocal = fc.constantFrom(...zones.keys()).chain((zone) => {
    const changes = zones.get(zone)?.changeDays ?? [];
    const anyDay = fc.integer({ min: Date.UTC(2009, 0, 1), max: Date.UTC(2037, 0, 1) });
    const dayStart = changes.length === 0 ? anyDay : fc.oneof(anyDay, fc.constantFrom(...changes));
    return fc.tuple(fc.constant(zone), dayStart, fc.integer({ min: -720, max: 2_880 }));
  });

  fc.assert(
    fc.property(anyLocal, ([zone, dayMs, minute]) => {
      const { show, toUtcMs } = zones.get(zone) ?? clockOf(zone);
      const asUtcMs = Math.floor(dayMs / MINUTE_MS) * MINUTE_MS + minute * MINUTE_MS;
      const local = toLocal(new Date(asUtcMs).toISOString());
      const wanted = show("UTC", asUtcMs);
      const instants = quartersAround(asUtcMs).filter((atMs) => show(zone, atMs) === wanted);

      const [first, second = first] = instants;
      if (first === undefined) {
        const gapMs =
          offsetOf(show, zone, asUtcMs + DAY_MS) - offsetOf(show, zone, asUtcMs - DAY_MS);
        assert.ok(gapMs > 0);
        assert.equal(show(zone, toUtcMs(local)), show("UTC", asUtcMs + gapMs));
      } else {
        assert.equal(toUtcMs(local), first);
        assert.equal(toUtcMs(local, first + 1), second);
      }
    }),
    { numRuns: 1_500 },
  );
});

type Show = (zone: string, atMs: number) => string;

function clockOf(zone: string) {
  const formats = new Map(
    [zone, "UTC"].map((timeZone) => [
      timeZone,
      // Swedish writes 2026-10-25 02:30.
      new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }),
    ]),
  );
  const show: Show = (timeZone, atMs) => formats.get(timeZone)?.format(atMs) ?? "";
  const changeDays: number[] = [];
  for (let atMs = Date.UTC(2009, 0, 1); atMs < Date.UTC(2037, 0, 1); atMs += DAY_MS) {
    if (offsetOf(show, zone, atMs) !== offsetOf(show, zone, atMs + DAY_MS)) changeDays.push(atMs);
  }
  return { show, changeDays, toUtcMs: utcConverterFor(zone) };
}

function offsetOf(show: Show, zone: string, atMs: number): number {
  return Date.parse(`${show(zone, atMs).replace(" ", "T")}Z`) - atMs;
}

/** All offsets in use are whole quarters of an hour, from -12 to +14 hours. */
function quartersAround(asUtcMs: number): readonly number[] {
  return Array.from({ length: 121 }, (_, index) => asUtcMs + (index - 60) * 15 * MINUTE_MS);
}

function assertReadings(readings: readonly Reading[]): void {
  for (const { zone, local, utc } of readings) {
    const atMs = utcConverterFor(zone)(toLocal(local));
    assert.equal(new Date(atMs).toISOString(), new Date(utc).toISOString(), `${zone} ${local}`);
  }
}

function toLocal(text: string): LocalTime {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  return { year, month, day, hour, minute, second: 0 };
}
