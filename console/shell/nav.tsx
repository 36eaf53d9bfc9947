import { PAGES } from "../pages.ts";
import { path } from "../router.ts";
import { session } from "../state/session.ts";
import { unreadCount } from "../state/title.ts";
import { words } from "../words/words.ts";

export function Nav() {
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
