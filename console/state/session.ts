import { computed, signal } from "@preact/signals";

/** What a token may do, from least to most: each may do all that the one before may. */
export type Role = "market" | "desk" | "owner";

/** What the service knows about this browser. */
export type Session =
  | { readonly kind: "unknown" }
  /** `hasExpired`: there was a session in this tab before. */
  | { readonly kind: "signed_out"; readonly hasExpired: boolean }
  | {
      readonly kind: "signed_in";
      readonly tokenName: string;
      readonly role: Role;
      readonly expiresAtMs: number | undefined;
    };

export const session = signal<Session>({ kind: "unknown" });

/** What signs a browser in. */
export type Proof = { readonly code: string } | { readonly token: string };

/** A sign-in with another token than that of this browser, which waits for the person's answer. */
interface Swap {
  readonly proof: Proof;
  readonly tokenName: string;
  readonly formerName: string;
}

export const swap = signal<Swap | undefined>(undefined);

/** False for a token that only looks: what writes is then not shown at all, and deals are closed to it. */
export const canWrite = computed(() => mayAct("desk"));
/** True for a token that may also change prices, groups and people. */
export const isOwner = computed(() => mayAct("owner"));

function mayAct(needed: "desk" | "owner"): boolean {
  if (session.value.kind !== "signed_in") return false;
  const { role } = session.value;
  return role === "owner" || role === needed;
}

/** The address stays as it is, so signing in again leads back to the same place. */
export function noteSignedOut(): void {
  if (session.value.kind === "signed_out") return;
  session.value = { kind: "signed_out", hasExpired: session.value.kind === "signed_in" };
}
