import { words } from "../words/words.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { Nav } from "./nav.tsx";
import { isKeysOpen, isPaletteOpen } from "./open-dialogs.ts";
import { PageView } from "./page-view.tsx";
import { Palette } from "./palette.tsx";
import { useShellKeys } from "./shell-keys.ts";
import { TopBar } from "./top-bar.tsx";
import { UnreadCounter } from "./unread-counter.tsx";

/** Everything around the page. */
export function Shell() {
  useShellKeys();
  return (
    <div class="app">
      <a class="skip" href="#content">
        {words.nav.skip}
      </a>
      <TopBar />
      <Nav />
      <main id="content" tabIndex={-1}>
        <PageView />
      </main>
      <UnreadCounter />
      {isPaletteOpen.value ? <Palette /> : null}
      {isKeysOpen.value ? <KeysDialog /> : null}
    </div>
  );
}
