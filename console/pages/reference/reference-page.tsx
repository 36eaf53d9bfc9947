import { useCallback } from "preact/hooks";
import type { Configuration } from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import { isSameJson } from "../../filters/filter.ts";
import { useCellsChanged } from "../../live/changes.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import type { Parameters } from "../../paths.ts";
import { query } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { doLater, offerUndo, showToast, tellFailure } from "../../state/toasts.ts";
import { referenceWords } from "../../words/reference.ts";
import { words } from "../../words/words.ts";
import { BuysSection, OffersSection, useOffers, WantedSection } from "./market-sections.tsx";
import { ReferenceHead } from "./reference-head.tsx";
import { chooseConfiguration, readSubject, type Subject } from "./reference-state.ts";
import { WatchSection } from "./watch-section.tsx";
import { WorthSection } from "./worth-section.tsx";

/** One reference: what is it worth. */
export function ReferencePage({ parameters }: { readonly parameters: Parameters }) {
  const reference = parameters["reference"] ?? "";
  const brand = query.value.get("brand") ?? undefined;
  const load = useLoad([reference, brand], (signal) => readSubject({ reference, brand }, signal));
  // Also configurations that are created or deleted elsewhere are heard of.
  useCellsChanged(NONE, load.reload);
  const subject = load.state.value.value;
  return (
    <ScrollArea name="reference" label={words.pages.reference}>
      <div class="reference">
        {subject === undefined ? <PageHeading title={reference} isHidden /> : null}
        <WhenLoaded load={load} rows={6}>
          {(found) => <Loaded reference={reference} subject={found} onChanged={load.reload} />}
        </WhenLoaded>
      </div>
    </ScrollArea>
  );
}

const NONE = (): readonly string[] => [];

function Loaded(props: {
  readonly reference: string;
  readonly subject: Subject;
  readonly onChanged: () => void;
}) {
  const { reference, subject, onChanged } = props;
  const configuration = chooseConfiguration(subject.configurations);
  const id = configuration?.id;
  const declared = useLoad([id], async (signal) =>
    id === undefined ? undefined : api.getConfiguration({ id }, { signal }),
  );
  const manager = declared.state.value.value?.managed_by;
  const hear = useCallback(() => onChanged(), [onChanged]);
  const name = {
    reference: subject.market?.reference ?? configuration?.reference ?? reference,
    brand: subject.brand,
  };
  const offers = useOffers(name);
  if (configuration === undefined && subject.market === undefined) {
    return <Unknown reference={reference} />;
  }
  return (
    <>
      <ReferenceHead name={name} subject={subject} offers={offers.state.value.value}>
        <AlertMe name={name} isWatched={configuration !== undefined} />
        {configuration !== undefined && manager === "api" ? (
          <UnwatchButton configuration={configuration} onChanged={hear} />
        ) : null}
      </ReferenceHead>
      {configuration === undefined ? (
        <>
          <WatchSection market={subject.market} onWatched={hear} />
          <OffersSection offers={offers} name={name} cell={undefined} />
        </>
      ) : (
        <WorthSection configuration={configuration} all={subject.configurations} offers={offers} />
      )}
      <WantedSection offers={offers} name={name} />
      {configuration === undefined ? null : <BuysSection {...name} />}
    </>
  );
}

/** One press: from then on every buy of this reference is told, or every ask while it has no price. */
function AlertMe(props: {
  readonly name: { readonly reference: string; readonly brand: string | undefined };
  readonly isWatched: boolean;
}) {
  const { reference, brand } = props.name;
  const strategy = props.isWatched ? "price_engine" : "market_filter";
  const filters = {
    reference: [reference],
    ...(brand === undefined ? {} : { brand: [brand] }),
    side: ["for_sale" as const],
  };
  const load = useLoad([reference, brand, strategy], async (signal) => {
    const { items } = await api.listAlerts({}, { signal });
    return {
      alert: items.find(
        (alert) => !alert.is_system && alert.enabled && isSameJson(alert.filters, filters),
      ),
    };
  });
  const { value } = load.state.value;
  const make = async (): Promise<void> => {
    const watch = [brand, reference].filter(Boolean).join(" ");
    const alertName = referenceWords.alertName(watch, props.isWatched);
    const { id } = await api.createAlert({ name: alertName, strategy, filters });
    load.reload();
    offerUndo(referenceWords.alertMade(alertName), () => {
      api.deleteAlert({ alert_id: id }).then(load.reload, tellFailure);
    });
  };
  if (value === undefined) return null;
  if (value.alert !== undefined) {
    return (
      <a class="button" href={`/alerts/${value.alert.id}`}>
        {referenceWords.alertIsOn}
      </a>
    );
  }
  return (
    <Button isMain isWrite onPress={() => void make().catch(tellFailure)}>
      {referenceWords.alertMe}
    </Button>
  );
}

/** Deletes a configuration that was made here, after a time to think. What it has matched stays. */
function UnwatchButton(props: {
  readonly configuration: Configuration;
  readonly onChanged: () => void;
}) {
  const { id } = props.configuration;
  const remove = async (): Promise<void> => {
    try {
      await api.deleteConfiguration({ id });
    } catch (error) {
      showToast(toFailure(error).message, { isBad: true });
    }
    props.onChanged();
  };
  return (
    <Button
      isOwners
      onPress={() =>
        doLater({
          text: referenceWords.unwatched,
          run: () => {
            remove().catch(reportError);
          },
          undo: () => undefined,
        })
      }
    >
      {referenceWords.unwatch}
    </Button>
  );
}

function Unknown({ reference }: { readonly reference: string }) {
  return (
    <>
      <PageHeading title={reference}>
        <bdi>{reference}</bdi>
      </PageHeading>
      <Empty title={referenceWords.unknown}>
        <p class="soft">{referenceWords.unknownHint}</p>
        <div class="row">
          <a class="button" href={`/market?${new URLSearchParams({ q: reference })}`}>
            {referenceWords.searchMarket}
          </a>
          <a class="button" href="/references">
            {referenceWords.toList}
          </a>
        </div>
      </Empty>
    </>
  );
}
