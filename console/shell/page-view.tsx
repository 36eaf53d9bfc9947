import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { toFailure } from "../api.ts";
import type { Page } from "../pages.ts";
import { Broken } from "../parts/broken.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorBoundary } from "../parts/error-boundary.tsx";
import { Loading } from "../parts/loading.tsx";
import { PageHeading } from "../parts/page-heading.tsx";
import type { Parameters } from "../paths.ts";
import { path } from "../router.ts";
import { words } from "../words/words.ts";
import { findPage, loadedPage, loadPage } from "./load-page.ts";

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

function LoadedPage({
  page,
  parameters,
}: {
  readonly page: Page;
  readonly parameters: Parameters;
}) {
  const component = useSignal(loadedPage(page));
  const error = useSignal<unknown>(undefined);
  const load = (): void => {
    loadPage(page).then(
      (loaded) => {
        component.value = loaded;
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
