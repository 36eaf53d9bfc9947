import { useEffect } from "preact/hooks";
import { useUnseenCount } from "../live/changes.ts";
import { useNotifications } from "../live/notifications.ts";
import { Kbd } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import { Tag } from "../parts/table.tsx";
import { isDeviceOpen, isKeysOpen, isPaletteOpen } from "../state/commands.ts";
import { isPresenting } from "../state/preferences.ts";
import { formatCount, formatTime } from "../words/formats.ts";
import { words } from "../words/words.ts";
import { Lazy } from "./lazy.tsx";
import { Nav } from "./nav.tsx";
import { PageView } from "./page-view.tsx";
import { Palette } from "./palette.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { KeysDialog, useShellKeys } from "./shell-keys.tsx";
import { SourceStatus } from "./source-status.tsx";

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
      {isDeviceOpen.value ? <Lazy load={loadDevice} onFailure={closeDevice} /> : null}
    </div>
  );
}

const loadDevice = async () => (await import("./device-dialog.tsx")).DeviceDialog;
const closeDevice = (): void => {
  isDeviceOpen.value = false;
};

function TopBar() {
  return (
    <header class="top">
      <a class="brand" href="/">
        {words.product}
      </a>
      <button
        type="button"
        class="find"
        aria-haspopup="dialog"
        onClick={() => {
          isPaletteOpen.value = true;
        }}
      >
        <Icon name="search" />
        <span class="find-words">{words.top.find}</span>
        <Kbd name="Ctrl K" />
      </button>
      {isPresenting.value ? <Tag tone="warn">{words.presenter.on}</Tag> : null}
      <SourceStatus />
      <PersonMenu />
    </header>
  );
}

/** A browser's first formats take some 50 ms: better while the page waits for its first answer than with its first rows. */
function makeFormats(): void {
  formatCount(0);
  formatTime(0);
}
