/** The navigation: a column, a rail of icons where there is less room, and a bar with five items on a phone. */
import type { ComponentChildren } from "preact";
import { PAGES, type Page } from "../pages.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Menu } from "../parts/menu.tsx";
import { path } from "../router.ts";
import { isPaletteOpen } from "../state/commands.ts";
import { canWrite } from "../state/session.ts";
import { unreadCount } from "../state/title.ts";
import { formatBadge } from "../words/formats.ts";
import { words } from "../words/words.ts";
import { PersonEntries } from "./person-menu.tsx";

type NavPage = Page & { readonly nav: NonNullable<Page["nav"]> };

const NAV_PAGES = PAGES.filter((page): page is NavPage => page.nav !== undefined);

export function Nav() {
  return (
    <nav class="nav" aria-label={words.nav.label}>
      {NAV_PAGES.filter(isOpen).map((page) => (
        <NavLink key={page.path} page={page} />
      ))}
      <button
        type="button"
        class="nav-item on-phone nav-search"
        aria-haspopup="dialog"
        onClick={() => {
          isPaletteOpen.value = true;
        }}
      >
        <Item icon="search">{words.top.findShort}</Item>
      </button>
      <Menu class="on-phone nav-more" label={<Item icon="more">{words.nav.more}</Item>} isQuiet>
        {PAGES.filter((page) => isOnlyInMore(page) && isOpen(page)).map((page) => (
          <a key={page.path} class="menu-entry" href={page.path} aria-current={currentOf(page)}>
            <Icon name={page.nav?.icon ?? "more"} />
            {page.title}
          </a>
        ))}
        <PersonEntries />
      </Menu>
    </nav>
  );
}

function NavLink({ page }: { readonly page: NavPage }) {
  const { nav, title } = page;
  const places = [nav.isOnPhone ? "" : "off-phone", nav.isApart ? "is-apart" : ""];
  return (
    <a
      href={page.path}
      class={`nav-item ${places.filter(Boolean).join(" ")}`}
      title={title}
      data-page={page.path}
      aria-current={currentOf(page)}
    >
      <Item icon={nav.icon}>{title}</Item>
      {page.path === "/" ? <Unread /> : null}
    </a>
  );
}

function Item(props: { readonly icon: IconName; readonly children: ComponentChildren }) {
  return (
    <>
      <Icon name={props.icon} />
      <span class="nav-label">{props.children}</span>
    </>
  );
}

/** A page that the token may not read is not listed. */
export function isOpen({ nav }: Page): boolean {
  return nav?.isDesk !== true || canWrite.value;
}

function isOnlyInMore({ nav }: Page): boolean {
  return nav?.isOnPhone === false;
}

/** A page below one of the navigation, such as that of a reference, marks it too. */
function currentOf({ path: href, nav }: Page): "page" | "true" | undefined {
  if (path.value === href) return "page";
  const isBelow = href !== "/" && path.value.startsWith(`${href}/`);
  return isBelow || nav?.also?.includes(path.value) === true ? "true" : undefined;
}

function Unread() {
  const count = unreadCount.value;
  if (count === 0) return null;
  return (
    <b class="badge">
      <span aria-hidden="true">{formatBadge(count)}</span>
      <span class="sr">{words.nav.unread(count)}</span>
    </b>
  );
}
