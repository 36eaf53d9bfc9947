import { useEffect } from "preact/hooks";
import { useNotifications } from "../live/notifications.ts";
import { useUnseenCount } from "../live/unseen-count.ts";
import { formatTime } from "../parts/format-age.ts";
import { formatCount } from "../words/formats.ts";
import { words } from "../words/words.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { Nav } from "./nav.tsx";
import { isKeysOpen, isPaletteOpen } from "./open-dialogs.ts";
import { PageView } from "./page-view.tsx";
import { Palette } from "./palette.tsx";
import { useShellKeys } from "./shell-keys.ts";
import { TopBar } from "./top-bar.tsx";

/** Everything around the page. */
export function Shell() {
  useShellKeys();
  useUnseenCount();
  useNotifications();
  useEffect(makeFormats, []);
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
      {isPaletteOpen.value ? <Palette /> : null}
      {isKeysOpen.value ? <KeysDialog /> : null}
    </div>
  );
}

/** A browser's first formats take some 50 ms: better while the page waits for its first answer than with its first rows. */
function makeFormats(): void {
  formatCount(0);
  formatTime(0);
}
