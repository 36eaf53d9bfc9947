import { SignInPage } from "./pages/sign-in/sign-in-page.tsx";
import { Broken } from "./parts/broken.tsx";
import { Loading } from "./parts/loading.tsx";
import { ToastList } from "./parts/toast-list.tsx";
import { Shell } from "./shell/shell.tsx";
import { startFailure } from "./start-session.ts";
import { session } from "./state/session.ts";

/** The sign-in takes the place of the page without changing the address, so it leads back by itself. */
export function App() {
  return (
    <>
      <Content />
      <ToastList />
    </>
  );
}

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
