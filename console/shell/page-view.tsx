import { useSignal } from "@preact/signals";
import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { toFailure } from "../api.ts";
import { PAGES, type Page, type PageProps } from "../pages.ts";
import { Button } from "../parts/button.tsx";
import { PageHeading } from "../parts/layout.tsx";
import { Broken, Empty, Loading } from "../parts/states.tsx";
import { matchPath, type Parameters } from "../paths.ts";
import { path } from "../router.ts";
import { words } from "../words/words.ts";

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
  const component = useSignal(loaded.get(page));
  const error = useSignal<unknown>(undefined);
  const load = (): void => {
    loadPage(page).then(
      (ready) => {
        component.value = ready;
      },
      (failure: unknown) => {
        error.value = failure;
      },
    );
  };
  useLayoutEffect(() => {
    if (component.value === undefined) load();
  }, []);
  const View = component.value;
  if (View !== undefined) return <View parameters={parameters} />;
  if (error.value === undefined) return <Loading />;
  // A new version has other chunks, so only a reload helps.
  return <Broken failure={toFailure(error.value)} onRetry={() => location.reload()} />;
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
