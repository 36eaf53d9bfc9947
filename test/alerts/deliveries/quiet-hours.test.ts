import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findQuietHoursProblem, quietUntilMs } from "../../../src/alerts/deliveries/quiet-hours.ts";
import { DAY_MS, MINUTE_MS, utcConverterFor } from "../../../src/base/clock.ts";

const NIGHT = { from: "22:00", to: "07:00", time_zone: "Europe/Berlin" };

test("it is quiet from the first to the last time, over midnight, in the zone", () => {
  assert.equal(quietUntilMs(NIGHT, Date.UTC(2026, 6, 1, 19, 59)), undefined);
  assert.equal(quietUntilMs(NIGHT, Date.UTC(2026, 6, 1, 20, 0)), Date.UTC(2026, 6, 2, 5, 0));
  assert.equal(quietUntilMs(NIGHT, Date.UTC(2026, 6, 2, 4, 59, 59)), Date.UTC(2026, 6, 2, 5, 0));
  assert.equal(quietUntilMs(NIGHT, Date.UTC(2026, 6, 2, 5, 0)), undefined);
  const noon = { ...NIGHT, from: "12:00", to: "13:30", time_zone: "UTC" };
  assert.equal(quietUntilMs(noon, Date.UTC(2026, 6, 1, 12, 30)), Date.UTC(2026, 6, 1, 13, 30));
  assert.equal(quietUntilMs(noon, Date.UTC(2026, 6, 1, 22, 30)), undefined);
});

test("a night on which the clocks change ends when the clock shows the end or a later time", () => {
  const beforeSpring = Date.UTC(2026, 2, 28, 22);
  const beforeAutumn = Date.UTC(2026, 9, 24, 21);

  assert.equal(quietUntilMs(NIGHT, beforeSpring), Date.UTC(2026, 2, 29, 5));
  assert.equal(quietUntilMs(NIGHT, beforeAutumn), Date.UTC(2026, 9, 25, 6));
  const skipped = { ...NIGHT, to: "02:30" };
  assert.equal(quietUntilMs(skipped, beforeSpring), Date.UTC(2026, 2, 29, 1));
});

test("quiet hours end at the first minute at which the clock of the zone is past them", () => {
  const zones = [
    "Europe/Berlin",
    "America/New_York",
    "Asia/Hong_Kong",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Africa/Casablanca",
  ];
  const timeOfDay = fc.integer({ min: 0, max: 95 }).map((quarter) => toText(quarter * 15));
  // Half of the times lie close to a change of clocks in Europe, America or Australia.
  const changes = [
    Date.UTC(2026, 2, 29, 1),
    Date.UTC(2026, 9, 25, 1),
    Date.UTC(2026, 2, 8, 7),
    Date.UTC(2026, 10, 1, 6),
    Date.UTC(2026, 3, 4, 15),
    Date.UTC(2026, 9, 3, 15, 30),
  ];
  const minute = fc.oneof(
    fc.integer({ min: 0, max: 365 * 1440 }).map((at) => Date.UTC(2026, 0, 1) + at * MINUTE_MS),
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -1440, max: 120 }))
      .map(([change, at]) => change + at * MINUTE_MS),
  );

  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      timeOfDay,
      timeOfDay,
      minute,
      (zone, from, to, nowMs) => {
        fc.pre(from !== to);
        const found = quietUntilMs({ from, to, time_zone: zone }, nowMs);
        const isQuiet = twinFor({ from, to, zone });

        if (!isQuiet(nowMs)) return assert.equal(found, undefined);
        let atMs = nowMs;
        while (isQuiet(atMs)) atMs += MINUTE_MS;
        assert.equal(found, atMs);
        assert.ok(atMs - nowMs <= DAY_MS + 2 * 60 * MINUTE_MS);
      },
    ),
    { numRuns: 60 },
  );
});

test("the converter from local time agrees with the end of the quiet hours on ordinary days", () => {
  const toUtcMs = utcConverterFor("Europe/Berlin");
  const local = { year: 2026, month: 7, day: 2, hour: 7, minute: 0, second: 0 };

  assert.equal(quietUntilMs(NIGHT, Date.UTC(2026, 6, 1, 23)), toUtcMs(local));
});

test("times of day and zones are checked", () => {
  assert.equal(findQuietHoursProblem(NIGHT), undefined);
  assert.equal(findQuietHoursProblem({ ...NIGHT, from: "9:00" })?.member, "from");
  assert.equal(findQuietHoursProblem({ ...NIGHT, to: "24:00" })?.member, "to");
  assert.equal(findQuietHoursProblem({ ...NIGHT, to: "22:00" })?.member, "to");
  assert.equal(findQuietHoursProblem({ ...NIGHT, time_zone: "Berlin" })?.member, "time_zone");
});

/** Reads the clock of the zone with a format of its own, minute by minute. */
function twinFor({ from, to, zone }: { from: string; to: string; zone: string }) {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (atMs: number): boolean => {
    const clock = format.format(atMs);
    return from < to ? clock >= from && clock < to : clock >= from || clock < to;
  };
}

function toText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
