import { cutText, isStorableText } from "../../base/text.ts";
import { pairOf } from "../contacts/contact.ts";
import type { AdminFact, GatewayFact, GroupFact, IdentityFact } from "../gateway-event.ts";
import { at, type Json, textAt, timeAt, toList, toObject } from "./json.ts";
import { isGroup, toIdentifiers } from "./waha-ids.ts";
import type { Envelope } from "./waha-message.ts";

const NAME_LENGTH_MAX = 200;

/** Reads the name of a group, and which identifiers belong to the same member. */
export function readGroup(payload: Json, envelope: Envelope): readonly GatewayFact[] {
  const atMs = timeAt(payload, "timestamp") ?? envelope.atMs ?? 0;
  const members = [
    ...toList(at(payload, "participants")),
    ...toList(at(payload, "group", "participants")),
    ...toList(at(payload, "group", "Participants")),
  ];
  const group = at(payload, "group");
  return [
    ...toGroupFacts(group, atMs),
    ...toIdentityFacts(members, atMs),
    ...toAdminFacts(groupOf(group), members, atMs),
  ];
}

/** Returns the ids in a list of groups, which is an array, or with NOWEB an object. */
export function listedGroups(answer: unknown): readonly string[] {
  const items = Array.isArray(answer) ? answer : Object.values(toObject(answer) ?? {});
  return items.flatMap((item) => {
    const id = groupOf(item);
    return isGroup(id) ? [id] : [];
  });
}

/** NOWEB `id`, GOWS `JID`, WEBJS `id._serialized`. */
function groupOf(group: unknown): string | undefined {
  return textAt(group, "id") ?? textAt(group, "JID") ?? textAt(group, "id", "_serialized");
}

/** The name is `subject` with NOWEB, `Name` with GOWS and `name` with WEBJS. */
export function toGroupFacts(group: unknown, atMs: number): readonly GroupFact[] {
  const id = groupOf(group);
  const name = textAt(group, "subject") ?? textAt(group, "Name") ?? textAt(group, "name");
  if (!isGroup(id) || name === undefined || !isStorableText(name)) return [];
  return [{ kind: "group", group: id, name: cutText(name, NAME_LENGTH_MAX), atMs }];
}

export function toIdentityFacts(
  members: readonly unknown[],
  atMs: number,
): readonly IdentityFact[] {
  return members.flatMap((member) => {
    const identifiers = memberIdsOf(member);
    return pairOf(identifiers) === undefined
      ? []
      : [{ kind: "identity", identifiers, atMs } as const];
  });
}

function toAdminFacts(
  group: string | undefined,
  members: readonly unknown[],
  atMs: number,
): readonly AdminFact[] {
  if (!isGroup(group)) return [];
  return members.filter(isAdmin).flatMap((member) => {
    const identifiers = memberIdsOf(member);
    return identifiers.length === 0 ? [] : [{ kind: "admin", group, identifiers, atMs } as const];
  });
}

function memberIdsOf(member: unknown): readonly string[] {
  const names = ["id", "lid", "pn", "phoneNumber", "JID", "LID", "PhoneNumber"];
  return toIdentifiers([
    ...names.map((name) => textAt(member, name)),
    textAt(member, "id", "_serialized"),
  ]);
}

const ADMIN_ROLES: ReadonlySet<unknown> = new Set(["admin", "superadmin"]);

/** WAHA `role`; NOWEB `admin`; GOWS `IsAdmin`; WEBJS `isAdmin`. */
function isAdmin(member: unknown): boolean {
  const flags = ["IsAdmin", "IsSuperAdmin", "isAdmin", "isSuperAdmin"];
  return (
    ADMIN_ROLES.has(at(member, "role")) ||
    ADMIN_ROLES.has(at(member, "admin")) ||
    flags.some((flag) => at(member, flag) === true)
  );
}
