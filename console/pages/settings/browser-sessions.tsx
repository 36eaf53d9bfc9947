import { type BrowserSession, endBrowserSession, listBrowserSessions, signOut } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { showToast, tellFailure } from "../../state/toasts.ts";
import { formatTime } from "../../words/formats.ts";
import { settingsWords } from "../../words/settings.ts";
import { words } from "../../words/words.ts";

/** All browsers that are signed in, this one first. A token that only reads sees none but its own. */
export function BrowserSessions() {
  return canWrite.value ? <AllBrowsers /> : <SignOut />;
}

function SignOut() {
  return <Button onPress={() => void signOut().catch(tellFailure)}>{words.session.signOut}</Button>;
}

function AllBrowsers() {
  const load = useLoad([], listBrowserSessions);
  const end = async ({ id, label }: BrowserSession): Promise<void> => {
    try {
      await endBrowserSession(id);
      showToast(settingsWords.ended(label));
    } catch (error) {
      tellFailure(error);
    }
    load.reload();
  };
  return (
    <WhenLoaded load={load} rows={2}>
      {(sessions) => (
        <ul class="browsers">
          {currentFirst(sessions).map((session) => (
            <li key={session.id}>
              <div>
                <div class="row">
                  <b>{session.label}</b>
                  {session.isCurrent ? <Tag tone="good">{settingsWords.current}</Tag> : null}
                  {session.isReadOnly ? <Tag>{words.session.readOnly}</Tag> : null}
                </div>
                <Times session={session} />
              </div>
              {session.isCurrent ? (
                <SignOut />
              ) : (
                <Button isWrite onPress={() => void end(session)}>
                  {settingsWords.end}
                  <span class="sr">{session.label}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </WhenLoaded>
  );
}

function Times({ session }: { readonly session: BrowserSession }) {
  const { tokenName, createdAtMs, lastUsedAtMs, isCurrent } = session;
  return (
    <p class="sub">
      {tokenName} · {settingsWords.since} {formatTime(createdAtMs)}
      {isCurrent ? null : ` · ${settingsWords.lastUsed} ${formatTime(lastUsedAtMs)}`}
    </p>
  );
}

function currentFirst(sessions: readonly BrowserSession[]): readonly BrowserSession[] {
  return sessions.toSorted((left, right) => Number(right.isCurrent) - Number(left.isCurrent));
}
