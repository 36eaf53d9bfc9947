import { render } from "preact";
import { Button } from "./parts/button.tsx";
import { Broken, Loading } from "./parts/states.tsx";
import { path } from "./router.ts";
import { Lazy } from "./shell/lazy.tsx";
import { loadEarly } from "./shell/page-view.tsx";
import { Shell } from "./shell/shell.tsx";
import { SignInPage } from "./shell/sign-in-page.tsx";
import { startFailure, startSession } from "./start-session.ts";
import "./state/preferences.ts";
import { session, swap } from "./state/session.ts";
import "./state/title.ts";
import { dismissToast, toasts } from "./state/toasts.ts";
import { words } from "./words/words.ts";

loadEarly(path.value);
startSession().catch(reportError);
const root = document.querySelector("#root");
if (root !== null) render(<App />, root);

/** The sign-in takes the place of the page without changing the address, so it leads back by itself. */
function App() {
  return (
    <>
      <Content />
      {swap.value === undefined ? null : <Lazy load={loadSwap} onFailure={dropSwap} />}
      <ToastList />
    </>
  );
}

const loadSwap = async () => (await import("./shell/swap-dialog.tsx")).SwapDialog;
const dropSwap = (): void => {
  swap.value = undefined;
};

function Content() {
  switch (session.value.kind) {
    case "signed_in":
      return <Shell />;
    case "signed_out":
      return <SignInPage hasExpired={session.value.hasExpired} />;
    default:
      return (
        <main class="page">
          {startFailure.value === undefined ? <Loading /> : <Broken failure={startFailure.value} />}
        </main>
      );
  }
}

/** Always in the document, because a screen reader announces only what changes in a region that it knows. */
function ToastList() {
  return (
    <section class="toasts" aria-label={words.toast.label} aria-live="polite">
      {toasts.value.map(({ id, text, isBad, undo }) => (
        <div key={id} class={isBad ? "toast bad" : "toast"}>
          <span>{text}</span>
          {undo === undefined ? (
            <Button onPress={() => dismissToast(id)}>{words.toast.dismiss}</Button>
          ) : (
            <Button onPress={undo} hotkey="z">
              {words.toast.undo}
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}
