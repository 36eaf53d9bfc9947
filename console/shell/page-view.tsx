import { Component, type ComponentChildren, type ComponentType } from "preact";
import { loadSession, toFailure } from "../api.ts";
import { PAGES, type Page, type PageProps } from "../pages.ts";
import { Button } from "../parts/button.tsx";
import { PageHeading } from "../parts/layout.tsx";
import { Broken, Empty, WhenLoaded } from "../parts/states.tsx";
import { matchPath, type Parameters } from "../paths.ts";
import { path } from "../router.ts";
import { useLoad } from "../state/load.ts";
import { words } from "../words/words.ts";

const RELOADED_AT = "assay.reloaded-at";
const RELOAD_MIN_MS = 15_000;
/** Pages whose code is there. */
const loaded = new Map<Page, ComponentType<PageProps>>();

/** The page of the current address. Another address of the same page gets new components, so no state is left over. */
export function PageView() {
  const found = findPage(path.value);
  if (found === undefined) return <NoPage />;
  return (
    <ErrorBoundary key={path.value}>
      <LoadedPage page={found.page} parameters={found.parameters} />
    </ErrorBoundary>
  );
}

/** Loads the page of an address while it is not known yet whether this browser is signed in. */
export function loadEarly(path: string): void {
  const found = findPage(path);
  // A failure is shown when the page is opened.
  if (found !== undefined) loadPage(found.page).catch(() => undefined);
}

function LoadedPage({
  page,
  parameters,
}: {
  readonly page: Page;
  readonly parameters: Parameters;
}) {
  const load = useLoad([page], () => loadOrReload(page));
  const View = loaded.get(page) ?? load.state.value.value;
  if (View !== undefined) return <View parameters={parameters} />;
  return <WhenLoaded load={load}>{() => null}</WhenLoaded>;
}

/**
 * The scripts of a page may be missing: without a connection, or because the next release has others. Both are over when the service
 * answers and the document is loaded again; a browser may remember that a script failed. `useLoad` asks until then.
 */
async function loadOrReload(page: Page): Promise<ComponentType<PageProps>> {
  try {
    return await loadPage(page);
  } catch (error) {
    await loadSession();
    const lastMs = Number(sessionStorage.getItem(RELOADED_AT));
    // A script that is missing after a reload is missing for another reason.
    if (Date.now() - lastMs < RELOAD_MIN_MS) throw error;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    location.reload();
    return new Promise(() => undefined);
  }
}

function NoPage() {
  return (
    <div class="page">
      <PageHeading title={words.states.noPage} />
      <Empty title={words.states.noPageHint}>
        <a class="button" href="/">
          {words.states.back}
        </a>
      </Empty>
    </div>
  );
}

/** A bug in one page leaves the rest of the console usable. The shell gives each address a boundary of its own. */
class ErrorBoundary extends Component<
  { readonly children: ComponentChildren },
  { readonly error?: unknown }
> {
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div class="page">
        <Broken failure={toFailure(this.state.error)} />
        <div class="row">
          <Button onPress={() => location.reload()}>{words.states.reload}</Button>
        </div>
      </div>
    );
  }
}

function findPage(path: string): { page: Page; parameters: Parameters } | undefined {
  for (const page of PAGES) {
    const parameters = matchPath(page.path, path);
    if (parameters !== undefined) return { page, parameters };
  }
  return undefined;
}

async function loadPage(page: Page): Promise<ComponentType<PageProps>> {
  const component = await page.load();
  loaded.set(page, component);
  return component;
}
