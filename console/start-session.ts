import { effect, signal } from "@preact/signals";
import { AssayError } from "../client/client-error.ts";
import { type Failure, loadSession, signIn, toFailure } from "./api.ts";
import { startLive } from "./live/live.ts";
import { OFFLINE_WORKER, toScriptUrl } from "./live/script-url.ts";
import { noteSignedOut, session } from "./state/session.ts";

const OPEN = "#open=";
const RETRY_MS = 2_000;

/** Why the code of the address did not work, for the sign-in page. */
export const codeFailure = signal<Failure | undefined>(undefined);
/** Why it is not known yet whether this browser is signed in. */
export const startFailure = signal<Failure | undefined>(undefined);

/** Uses the code of the address, if it has one, and finds out who this browser is. Tries until the service answers. */
export async function startSession(): Promise<void> {
  const code = takeCode();
  if (code !== undefined) await tryCode(code);
  while (session.value.kind === "unknown") {
    try {
      await loadSession();
      startFailure.value = undefined;
    } catch (error) {
      if (error instanceof AssayError && error.status < 500 && error.status !== 429) {
        return noteSignedOut();
      }
      startFailure.value = toFailure(error);
      await new Promise((settle) => setTimeout(settle, RETRY_MS));
    }
  }
}

/** The code leaves the address before anything else happens, so that no bookmark and no shared screen has it. */
function takeCode(): string | undefined {
  if (!location.hash.startsWith(OPEN)) return undefined;
  const code = location.hash.slice(OPEN.length);
  history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}

/** A code that was used before is no failure if the browser has a session: then the link just opens the page. */
async function tryCode(code: string): Promise<void> {
  try {
    await signIn({ code });
  } catch (error) {
    codeFailure.value = toFailure(error);
  }
}

/** A link of a running console that is opened in the same tab changes only the part after `#`. */
addEventListener("hashchange", () => {
  const code = takeCode();
  if (code !== undefined) tryCode(code).catch(reportError);
});

effect(() => {
  if (session.value.kind !== "signed_in") return;
  startLive();
  // Where there is none, as on plain http, the console works the same while there is a connection.
  navigator.serviceWorker?.register(toScriptUrl(OFFLINE_WORKER)).catch(() => undefined);
});
