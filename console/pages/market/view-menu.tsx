import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { View } from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import { isSameJson } from "../../filters/filter.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { marketWords } from "../../words/market.ts";
import {
  changeMarket,
  columnsOf,
  fromLasting,
  hasMinimum,
  type MarketAddress,
  type MarketState,
  market,
  sortOf,
  toLasting,
  toPath,
} from "./market-state.ts";

const VIEWS_MAX = 200;

/** Saved views: open one, save this search as one, update the one that was opened. */
export function ViewMenu() {
  const load = useLoad(
    [],
    async (signal) => (await api.listViews({ limit: VIEWS_MAX }, { signal })).items,
  );
  const isSaving = useSignal(false);
  const state = market.value;
  const opened = load.state.value.value?.find(({ id }) => id === state.viewId);
  const isChanged = opened !== undefined && !isSameView(opened, state);
  const lost = hasMinimum(state.minimum)
    ? marketWords.minimumNotSaved(marketWords.minimum(state.minimum))
    : undefined;
  const update = (view: View): void => {
    api.changeView({ view_id: view.id, ...toBody(state) }).then(
      () => {
        showToast(marketWords.updated(view.name));
        if (lost !== undefined) showToast(lost);
        load.reload();
      },
      (error: unknown) => showToast(toFailure(error).message, { isBad: true }),
    );
  };
  const saveAs = async (name: string): Promise<void> => {
    const view = await api.createView({ name, ...toBody(state) });
    changeMarket({ viewId: view.id }, { isReplacing: true });
    showToast(marketWords.saved(name));
    load.reload();
  };
  return (
    <>
      <Menu label={<ViewLabel view={opened} isChanged={isChanged} />} class="views">
        <WhenLoaded load={load} rows={3}>
          {(views) =>
            views.length === 0 ? (
              <p class="sub">{marketWords.viewsNone}</p>
            ) : (
              views.map((view) => (
                <a
                  key={view.id}
                  class="menu-entry"
                  href={toPath(toState(view))}
                  aria-current={view.id === state.viewId ? "true" : undefined}
                >
                  <bdi>{view.name}</bdi>
                  {view.managed_by === "manifest" ? (
                    <span class="sub">{marketWords.fromManifest}</span>
                  ) : null}
                </a>
              ))
            )
          }
        </WhenLoaded>
        {canWrite.value && isChanged && opened.managed_by === "api" ? (
          <button type="button" class="menu-entry" onClick={() => update(opened)}>
            {marketWords.updateView(opened.name)}
          </button>
        ) : null}
        {canWrite.value ? (
          <button
            type="button"
            class="menu-entry"
            onClick={() => {
              isSaving.value = true;
            }}
          >
            {marketWords.saveView}
          </button>
        ) : null}
      </Menu>
      {isSaving.value ? (
        <NameDialog
          title={marketWords.saveView}
          action={marketWords.save}
          initial=""
          onSave={saveAs}
          onClose={() => {
            isSaving.value = false;
          }}
        >
          {lost === undefined ? null : <p class="notice">{lost}</p>}
        </NameDialog>
      ) : null}
    </>
  );
}

function ViewLabel({
  view,
  isChanged,
}: {
  readonly view: View | undefined;
  readonly isChanged: boolean;
}) {
  if (view === undefined) return marketWords.views;
  return (
    <>
      <bdi>{view.name}</bdi>
      {isChanged ? <span class="sub">{marketWords.viewChanged}</span> : null}
    </>
  );
}

/** A view without a time shows the last days, as every search does. */
function toState({ id, filters, sort, columns }: View): MarketAddress {
  return {
    own: fromLasting(filters),
    text: "",
    minimum: {},
    sort: sortOf(sort) ?? "newest",
    columns: columns === undefined ? market.value.columns : columnsOf(columns.join(" ")),
    viewId: id,
  };
}

function toBody({ filter, sort, columns }: Pick<MarketState, "filter" | "sort" | "columns">) {
  return { filters: toLasting(filter), sort, columns };
}

/** A view that names no columns takes those that are shown. */
function isSameView(view: View, state: MarketState): boolean {
  const opened = toState(view);
  return isSameJson(toBody({ ...opened, filter: opened.own }), toBody(state));
}

/** Asks for a name and saves something under it. What the service says against it stands below the field. */
function NameDialog(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: string;
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}) {
  const name = useSignal(props.initial);
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const id = useId();
  const save = async (): Promise<void> => {
    if (name.value.trim() === "" || isBusy.value) return;
    isBusy.value = true;
    try {
      await props.onSave(name.value.trim());
      props.onClose();
    } catch (error) {
      problem.value = toFailure(error).message;
    }
    isBusy.value = false;
  };
  return (
    <Dialog label={props.title} onClose={props.onClose}>
      <form
        class="name-form"
        onSubmit={(event) => {
          event.preventDefault();
          save().catch(reportError);
        }}
      >
        <h2>{props.title}</h2>
        {props.children}
        <label for={id}>{marketWords.name}</label>
        <input
          id={id}
          class="field"
          maxLength={200}
          required
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
        {problem.value === undefined ? null : (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <div class="row">
          <Button isMain isSubmit isWrite isBusy={isBusy.value}>
            {props.action}
          </Button>
          <Button onPress={props.onClose}>{marketWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
