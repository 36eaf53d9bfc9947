import { computed, signal } from "@preact/signals";

/** What the service knows about this browser. */
export type Session =
  | { readonly kind: "unknown" }
  /** `hasExpired`: there was a session in this tab before. */
  | { readonly kind: "signed_out"; readonly hasExpired: boolean }
  | {
      readonly kind: "signed_in";
      readonly tokenName: string;
      readonly isReadOnly: boolean;
      readonly expiresAtMs: number | undefined;
    };

export const session = signal<Session>({ kind: "unknown" });

/** False for a read-only token: actions that write are then not shown at all. */
export const canWrite = computed(
  () => session.value.kind === "signed_in" && !session.value.isReadOnly,
);

/** The address stays as it is, so signing in again leads back to the same place. */
export function noteSignedOut(): void {
  if (session.value.kind === "signed_out") return;
  session.value = { kind: "signed_out", hasExpired: session.value.kind === "signed_in" };
}
