/**
 * A target of webhooks or notifications: its kind, and the members that declare its address. Everything here follows from
 * what the channels declare.
 *
 * Example: `{kind: telegram, bot_token: "1:A…", chat_id: -100}` is stored as `{kind: "telegram", url: null, secret: "1:A…",
 * recipient: "-100"}`.
 */
import type {
  Address,
  Channel,
  ChannelMember,
  ChannelOptions,
  Refusal,
} from "./channels/channel.ts";
import { EMAIL } from "./channels/email.ts";
import { NTFY } from "./channels/ntfy.ts";
import { STANDARD } from "./channels/standard.ts";
import { TELEGRAM } from "./channels/telegram.ts";
import { HTTP_HELP } from "./post-webhook.ts";
import { findQuietHoursProblem, type QuietHours } from "./quiet-hours.ts";

/** `standard` posts signed JSON for programs. The others send short texts to people. */
const CHANNELS = { standard: STANDARD, ntfy: NTFY, telegram: TELEGRAM, email: EMAIL } as const;
export type TargetKind = keyof typeof CHANNELS;
export const TARGET_KINDS = Object.keys(CHANNELS) as readonly TargetKind[];

/** A member that some channel declares. */
export type TargetMember = {
  readonly [Kind in TargetKind]: keyof (typeof CHANNELS)[Kind]["members"];
}[TargetKind];

/** The members of all channels. A name that several channels use has one column and one length. */
export const TARGET_MEMBERS = Object.assign(
  {},
  ...TARGET_KINDS.map((kind) => CHANNELS[kind].members),
) as Readonly<Record<TargetMember, ChannelMember>>;

const MEMBER_NAMES = Object.keys(TARGET_MEMBERS) as readonly TargetMember[];

export interface TargetAddress extends Address {
  readonly kind: TargetKind;
}

/** The address as a manifest or the API declares it. */
export type DeclaredAddress = {
  readonly kind?: TargetKind | undefined;
  readonly quiet_hours?: QuietHours | undefined;
} & { readonly [Member in TargetMember]?: string | number | undefined };

export interface MemberProblem {
  readonly path: readonly string[];
  readonly text: string;
}

export function channelOf(kind: TargetKind): Channel {
  return CHANNELS[kind];
}

/**
 * Returns every problem of a declared target. The texts never show a value, because it may be a secret. If `stored` has the
 * secret, it need not be declared again, unless it would be sent to another server.
 */
export function findTargetProblems(
  declared: DeclaredAddress,
  stored?: TargetAddress,
): readonly MemberProblem[] {
  const kind = declared.kind ?? "standard";
  const { members } = channelOf(kind);
  const problems = MEMBER_NAMES.flatMap((name): readonly MemberProblem[] => {
    const member = members[name];
    const value = declared[name];
    if (member === undefined) {
      const text = `does not belong to a target of the kind ${kind}`;
      return value === undefined ? [] : [{ path: [name], text }];
    }
    if (value === undefined) {
      if (findMovedSecret(declared, stored) === name) {
        const text = `must be declared again, because url names another server; without a ${name}, declare a new target`;
        return [{ path: [name], text }];
      }
      const text = `is required for a target of the kind ${kind}`;
      const isKept = member.column === "secret" && stored?.kind === kind && stored.secret !== null;
      return member.isOptional === true || isKept ? [] : [{ path: [name], text }];
    }
    const text = member.findProblem(String(value));
    return text === undefined ? [] : [{ path: [name], text }];
  });
  const quiet = declared.quiet_hours && findQuietHoursProblem(declared.quiet_hours);
  if (quiet === undefined) return problems;
  return [...problems, { path: ["quiet_hours", quiet.member], text: quiet.text }];
}

export function toTargetAddress(declared: DeclaredAddress): TargetAddress {
  const kind = declared.kind ?? "standard";
  const columns = listMembers(kind).flatMap(([name, { column }]) => {
    const value = declared[name];
    return value === undefined ? [] : [[column, String(value)] as const];
  });
  return { kind, url: null, secret: null, recipient: null, ...Object.fromEntries(columns) };
}

/** The address as someone who is no owner sees it. */
export function cutAddress<Declared extends DeclaredAddress>(declared: Declared): Declared {
  return mapCut(declared, (value, cut) => cut(value));
}

/** The address with the stored values of the members that were sent back as they are shown. */
export function completeAddress<Declared extends Partial<DeclaredAddress>>(
  declared: Declared,
  stored: DeclaredAddress,
): Declared {
  return mapCut(declared, (value, cut, name) => {
    const before = stored[name];
    return typeof before === "string" && cut(before) === value ? before : value;
  });
}

function mapCut<Declared extends Partial<DeclaredAddress>>(
  declared: Declared,
  change: (value: string, cut: (value: string) => string, name: TargetMember) => string,
): Declared {
  const changed = MEMBER_NAMES.flatMap((name) => {
    const [value, { cut }] = [declared[name], TARGET_MEMBERS[name]];
    return typeof value === "string" && cut !== undefined ? [[name, change(value, cut, name)]] : [];
  });
  return { ...declared, ...Object.fromEntries(changed) };
}

/** The address with the secret of the stored target, if it has none of its own and the kind is the same. */
export function keepSecret(
  address: TargetAddress,
  stored: TargetAddress | undefined,
): TargetAddress {
  if (address.secret !== null || stored?.kind !== address.kind) return address;
  return { ...address, secret: stored.secret };
}

/**
 * Returns the member with the stored secret, if it would be sent to another server than the one that it was declared for. Whoever
 * may change a target could otherwise read a secret that is never shown.
 */
export function findMovedSecret(
  declared: DeclaredAddress,
  stored: TargetAddress | undefined,
): TargetMember | undefined {
  const address = toTargetAddress(declared);
  if (stored?.kind !== address.kind || stored.secret === null) return undefined;
  const { secretServerOf } = channelOf(stored.kind);
  const server = secretServerOf(address);
  if (server === undefined || server === secretServerOf(stored)) return undefined;
  return listMembers(stored.kind).find(([, { column }]) => column === "secret")?.[0];
}

/** The members that declare this address; the reverse of `toTargetAddress`. */
export function toDeclaredAddress(
  address: TargetAddress,
): { readonly kind: TargetKind } & { readonly [Member in TargetMember]?: string } {
  const { kind } = address;
  const members = listMembers(kind).flatMap(([name, { column }]) => {
    const value = address[column];
    return value === null ? [] : [[name, value] as const];
  });
  return { kind, ...Object.fromEntries(members) };
}

export function listMembers(kind: TargetKind): readonly (readonly [TargetMember, ChannelMember])[] {
  return Object.entries(channelOf(kind).members) as [TargetMember, ChannelMember][];
}

/** Why nothing will be sent to a declared target; undefined if it is sent to. */
export function findTargetRefusal(
  declared: DeclaredAddress,
  options: ChannelOptions,
): Refusal | undefined {
  const address = toTargetAddress(declared);
  return channelOf(address.kind).findRefusal?.(address, options);
}

/** What an operator can do about the result of an attempt; undefined if the target is at fault. */
export function helpFor(result: string): string | undefined {
  return HELP.get(result);
}

const HELP: ReadonlyMap<string, string> = new Map(
  [HTTP_HELP, ...TARGET_KINDS.map((kind) => CHANNELS[kind].help)].flatMap((help) =>
    Object.entries(help),
  ),
);

/** Hides the secrets of targets in a text, also in the wrong place, for example after a missing colon. */
export function hideSecrets(text: string): string {
  const members = TARGET_KINDS.flatMap((kind) => listMembers(kind));
  return members.reduce(
    (shown, [, { hidden }]) =>
      hidden === undefined ? shown : shown.replace(hidden.pattern, hidden.shown),
    text,
  );
}
