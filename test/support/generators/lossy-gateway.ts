/**
 * A model of two groups and of a gateway that loses events: what people do, what the gateway posts and lists of it, and which
 * messages Assay must then take for revoked. It knows the rules, not the code: every set and time is kept in plain maps.
 */
import fc from "fast-check";
import { MINUTE_MS, SECOND_MS } from "../../../src/base/clock.ts";
import {
  aJoinEvent,
  aMessageEvent,
  anAdminEvent,
  aRevokeEvent,
  SESSION_A,
  type WahaGateway,
} from "../waha.ts";

export const LOSSY_SESSION = { ...SESSION_A, engine: "NOWEB" } as const;
const GROUPS = ["120363000000000101@g.us", "120363000000000102@g.us"];
const DEALERS = [0, 1, 2].map((n) => ({
  phone: `44770090012${n}`,
  lid: `19990000000020${n}`,
  name: `Dealer ${n}`,
}));
/** Messages of each group at the start. No one revokes them. */
const ANCHORS = 12;
const OVERLAP_MS = 10 * MINUTE_MS;
const SETTLED_MS = 2 * MINUTE_MS;

const dealer = fc.nat({ max: DEALERS.length - 1 });
const group = fc.nat({ max: GROUPS.length - 1 });
const isLost = fc.constantFrom(false, false, true);
const waitS = fc.constantFrom(20, 70, 200);

/** What happens next, some seconds after the last thing. */
export const anAction = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("post" as const), waitS, group, dealer, isLost }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("revoke" as const),
      waitS,
      // Mostly the sender.
      dealer: fc.option(dealer, { freq: 1 }),
      which: fc.nat({ max: 3 }),
      isLost: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("role" as const),
      waitS,
      group,
      dealer,
      type: fc.constantFrom(
        "promote" as const,
        "promote" as const,
        "demote" as const,
        "leave" as const,
      ),
      isLost,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("members" as const), waitS, group, isLost }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("restore" as const),
      waitS,
      which: fc.nat({ max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("sync" as const), waitS }) },
);

type Action = typeof anAction extends fc.Arbitrary<infer Value> ? Value : never;

interface Post {
  readonly rawId: string;
  readonly group: number;
  readonly dealer: number;
  readonly isChatter: boolean;
  readonly atMs: number;
  /** When Assay first heard of it. */
  heardAtMs: number | undefined;
  isListed: boolean;
  readonly revokes: { readonly dealer: number; readonly atMs: number }[];
  missingAtMs: number;
  listedAtMs: number;
}

/** What an event said of one dealer in one group; without a dealer, of all who are not named at that time. */
interface Role {
  readonly group: number;
  readonly dealer: number | undefined;
  readonly atMs: number;
  readonly isAdmin: boolean;
}

/** An event that the gateway posts, with the time at which it arrives. */
interface Posted {
  readonly body: object;
  readonly atMs: number;
}

export function createLossyGateway(gateway: WahaGateway, startMs: number) {
  const posts: Post[] = [];
  const said: Role[] = [];
  const admins = GROUPS.map(() => new Set<number>());
  const posted: Posted[] = [];
  let nowMs = startMs;
  let markMs = 0;
  gateway.messages.length = 0;

  const isAdmin = (inGroup: number, who: number, atMs: number): boolean => {
    const own = said
      .filter((role) => role.group === inGroup && (role.dealer ?? who) === who)
      // A list of all members says nothing of one whom it names as an admin.
      .filter(
        (role, _, all) =>
          role.dealer !== undefined ||
          !all.some((other) => other.dealer === who && other.atMs === role.atMs),
      )
      .toSorted((left, right) => left.atMs - right.atMs);
    return (own.findLast((role) => role.atMs <= atMs) ?? own[0])?.isAdmin ?? false;
  };
  const isRevoked = (post: Post): boolean =>
    post.missingAtMs > Math.max(post.listedAtMs, post.heardAtMs ?? 0) ||
    post.revokes.some(
      ({ dealer: who, atMs }) => who === post.dealer || isAdmin(post.group, who, atMs),
    );
  const add = (post: Pick<Post, "group" | "dealer" | "isChatter">, isPosted: boolean): void => {
    const rawId = `R${String(posts.length).padStart(3, "0")}`;
    const message = toMessage({ ...post, rawId, atMs: nowMs });
    gateway.add(message);
    if (isPosted) posted.push({ body: aMessageEvent(message), atMs: nowMs });
    const heardAtMs = isPosted ? nowMs : undefined;
    const checks = { revokes: [], missingAtMs: 0, listedAtMs: 0 };
    posts.push({ ...post, rawId, atMs: nowMs, heardAtMs, isListed: true, ...checks });
  };

  const revoke = (action: Extract<Action, { kind: "revoke" }>): void => {
    const others = posts.filter(({ isChatter }) => !isChatter);
    const post = pick(others, action.which);
    const who = action.dealer ?? post?.dealer ?? 0;
    const author = DEALERS[who];
    if (post === undefined || author === undefined) return;
    if (!action.isLost) {
      post.revokes.push({ dealer: who, atMs: nowMs });
      const event = { rawId: post.rawId, group: GROUPS[post.group] ?? "", author };
      const body = aRevokeEvent({ session: LOSSY_SESSION, ...event, atS: nowMs / SECOND_MS });
      posted.push({ body, atMs: nowMs });
    }
    // WhatsApp deletes it only if he may do that.
    if (who !== post.dealer && admins[post.group]?.has(who) !== true) return;
    gateway.remove(post.rawId);
    post.isListed = false;
  };

  const changeRole = (action: Extract<Action, { kind: "role" }>): void => {
    const { group: at, dealer: who, type } = action;
    const hadRights = admins[at]?.has(who) === true;
    // Only an admin is demoted.
    if (type === "demote" && !hadRights) return;
    if (type === "promote") admins[at]?.add(who);
    else admins[at]?.delete(who);
    if (action.isLost) return;
    said.push({ group: at, dealer: who, atMs: nowMs, isAdmin: type === "promote" });
    if (type === "demote") said.push({ group: at, dealer: who, atMs: nowMs - 1, isAdmin: true });
    const event = { session: LOSSY_SESSION, group: GROUPS[at] ?? "", type };
    posted.push({
      body: anAdminEvent({ ...event, lid: DEALERS[who]?.lid ?? "", atMs: nowMs }),
      atMs: nowMs,
    });
  };

  const listMembers = ({ group: at, isLost: lost }: Extract<Action, { kind: "members" }>): void => {
    if (lost) return;
    const own = [...(admins[at] ?? [])];
    said.push({ group: at, dealer: undefined, atMs: nowMs, isAdmin: false });
    for (const who of own) said.push({ group: at, dealer: who, atMs: nowMs, isAdmin: true });
    const adminLids = own.map((who) => DEALERS[who]?.lid ?? "");
    const event = { session: LOSSY_SESSION, group: GROUPS[at] ?? "", adminLids };
    posted.push({ body: aJoinEvent({ ...event, atMs: nowMs }), atMs: nowMs });
  };

  const restore = (which: number): void => {
    const deleted = posts.filter((post) => !post.isListed);
    const post = pick(deleted, which);
    if (post === undefined) return;
    gateway.add(toMessage(post));
    post.isListed = true;
  };

  /** What a fetch finds: messages that were not heard of, and those that are missing or there again. */
  const sync = (): void => {
    const fromMs = Math.min(markMs, nowMs) - OVERLAP_MS;
    const listed = posts.filter((post) => post.isListed && post.atMs >= fromMs);
    // Both are decided by what is known before the fetch.
    const missing =
      listed.length === 0
        ? []
        : posts.filter((post) => {
            const { heardAtMs = nowMs, atMs } = post;
            const isInside = atMs >= fromMs && atMs <= nowMs - SETTLED_MS;
            const wasMissing = post.missingAtMs > post.listedAtMs;
            const isSettled = heardAtMs < nowMs - SETTLED_MS;
            return !post.isListed && isInside && isSettled && !wasMissing && !isRevoked(post);
          });
    const back = listed.filter((post) => isRevoked(post) && post.missingAtMs > post.listedAtMs);
    for (const post of listed) post.heardAtMs ??= nowMs;
    for (const post of missing) post.missingAtMs = nowMs;
    for (const post of back) post.listedAtMs = nowMs;
    markMs = Math.min(Math.max(markMs, fromMs, ...listed.map(({ atMs }) => atMs)), nowMs);
  };

  const apply = (action: Action): void => {
    nowMs += action.waitS * SECOND_MS;
    if (action.kind === "post") add({ ...action, isChatter: false }, !action.isLost);
    else if (action.kind === "revoke") revoke(action);
    else if (action.kind === "role") changeRole(action);
    else if (action.kind === "members") listMembers(action);
    else if (action.kind === "restore") restore(action.which);
    else {
      // The groups are never silent, and an empty list would say nothing.
      add({ group: 0, dealer: 0, isChatter: true }, true);
      sync();
    }
  };

  for (let at = 0; at < ANCHORS * GROUPS.length; at += 1) {
    nowMs += SECOND_MS;
    add({ group: at % GROUPS.length, dealer: 0, isChatter: true }, true);
  }
  markMs = nowMs;
  return {
    apply,
    nowMs: () => nowMs,
    /** The events that arrived since the last call. */
    takePosted: () => posted.splice(0),
    revokedIds: () =>
      posts
        .filter((post) => post.heardAtMs !== undefined && isRevoked(post))
        .map(({ rawId }) => rawId),
    countMissing: () => posts.filter(({ missingAtMs }) => missingAtMs > 0).length,
  };
}

function toMessage(post: Pick<Post, "rawId" | "group" | "dealer" | "atMs">) {
  const { rawId, group: at, dealer: who, atMs } = post;
  const sender = DEALERS[who];
  return {
    session: LOSSY_SESSION,
    rawId,
    group: GROUPS[at] ?? "",
    text: `WTS 126610LN 2024 full set EUR 12,500 ${rawId}`,
    atS: atMs / SECOND_MS,
    ...(sender === undefined ? {} : { sender }),
  };
}

/** The last ones first, because a window does not go far back. */
function pick<Item>(items: readonly Item[], which: number): Item | undefined {
  return items.at(-1 - (which % Math.max(items.length, 1)));
}
