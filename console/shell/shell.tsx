import { useEffect } from "preact/hooks";
import { useUnseenCount } from "../live/changes.ts";
import { lastEventAtMs, liveStatus } from "../live/live.ts";
import { useNotifications } from "../live/notifications.ts";
import { PAGES } from "../pages.ts";
import { Kbd } from "../parts/button.tsx";
import { Age } from "../parts/figures.tsx";
import { Tag } from "../parts/table.tsx";
import { path } from "../router.ts";
import { isKeysOpen, isPaletteOpen } from "../state/commands.ts";
import { isPresenting } from "../state/preferences.ts";
import { session } from "../state/session.ts";
import { unreadCount } from "../state/title.ts";
import { formatCount, formatTime } from "../words/formats.ts";
import { words } from "../words/words.ts";
import { PageView } from "./page-view.tsx";
import { Palette } from "./palette.tsx";
import { KeysDialog, useShellKeys } from "./shell-keys.tsx";

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
        <span class="find-words">{words.top.find}</span>
        <Kbd name="Ctrl K" />
      </button>
      {isPresenting.value ? <Tag tone="warn">{words.presenter.on}</Tag> : null}
      <LiveLight />
    </header>
  );
}

/** Whether the page hears of new matches by itself. The words say it, not only the colour. */
function LiveLight() {
  const isOpen = liveStatus.value === "open";
  return (
    <div class={isOpen ? "live" : "live is-off"}>
      <span class="live-words">{describe()}</span>
      {isOpen && lastEventAtMs.value !== undefined ? (
        <span class="live-age" aria-hidden="true">
          {words.live.last} <Age atMs={lastEventAtMs.value} />
        </span>
      ) : null}
    </div>
  );
}

function describe(): string {
  switch (liveStatus.value) {
    case "open":
      return words.live.open;
    case "connecting":
      return words.live.connecting;
    case "off":
      return words.live.off;
    default:
      return words.live.lost;
  }
}

function Nav() {
  return (
    <nav class="nav" aria-label={words.nav.label}>
      {PAGES.filter(({ isInNav }) => isInNav).map((page) => (
        <a key={page.path} href={page.path} aria-current={currentOf(page.path)}>
          {page.title}
          {page.path === "/" ? <Unread /> : null}
        </a>
      ))}
      <div class="nav-foot">
        {session.value.kind === "signed_in" ? session.value.tokenName : ""}
        {session.value.kind === "signed_in" && session.value.isReadOnly
          ? ` (${words.session.readOnly})`
          : ""}
      </div>
    </nav>
  );
}

/** A page below one of the navigation, such as that of a reference, marks it too. */
function currentOf(href: string): "page" | "true" | undefined {
  if (path.value === href) return "page";
  return href !== "/" && path.value.startsWith(`${href}/`) ? "true" : undefined;
}

function Unread() {
  if (unreadCount.value === 0) return null;
  return (
    <b>
      <span aria-hidden="true">{unreadCount.value}</span>
      <span class="sr">{words.nav.unread(unreadCount.value)}</span>
    </b>
  );
}

/** A browser's first formats take some 50 ms: better while the page waits for its first answer than with its first rows. */
function makeFormats(): void {
  formatCount(0);
  formatTime(0);
}
