import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { CopyLine, ForEngineers, saveFile } from "../../parts/copy.tsx";
import { PageHeading, ScrollArea, Section } from "../../parts/layout.tsx";
import { path, query } from "../../router.ts";
import { canWrite } from "../../state/session.ts";
import { showToast, tellFailure } from "../../state/toasts.ts";
import { settingsWords } from "../../words/settings.ts";
import { words } from "../../words/words.ts";
import { ActivitySection } from "./activity-section.tsx";
import { GroupsTab } from "./groups-tab.tsx";
import { PhonesTab } from "./phones-tab.tsx";
import { ProfileSection } from "./profile-section.tsx";
import { RateSection } from "./rate-section.tsx";
import { SystemTab } from "./system/system-tab.tsx";
import { TargetsTab } from "./targets/targets-tab.tsx";
import { TokenSection } from "./token-section.tsx";
import { YouTab } from "./you-tab.tsx";

const TABS = [
  "you",
  "phones",
  "prices",
  "groups",
  "notifications",
  "people",
  "data",
  "system",
] as const;
type Tab = (typeof TABS)[number];

/** Not for a token that only looks. */
const CLOSED: ReadonlySet<Tab> = new Set(["notifications", "people", "data"]);

/** Those that use the whole page; the others are one column, or two where there is room. */
const WIDE: ReadonlySet<Tab> = new Set(["notifications", "system"]);

const CONTENT: Readonly<Record<Tab, ComponentType>> = {
  you: YouTab,
  phones: PhonesTab,
  prices: PricesTab,
  groups: GroupsTab,
  notifications: TargetsTab,
  people: PeopleTab,
  data: DataTab,
  system: SystemTab,
};

/** How the console looks, what is read and priced, where buys are sent, and who may do what: a tab for each. */
export function SettingsPage() {
  const tabs = TABS.filter((tab) => canWrite.value || !CLOSED.has(tab));
  const tab = shownTab(tabs);
  const Content = CONTENT[tab];
  const isWide = WIDE.has(tab);
  return (
    <ScrollArea
      key={tab}
      name={`settings-${tab}`}
      label={`${words.pages.settings}: ${settingsWords.tabOf[tab]}`}
      class={tab === "notifications" ? "alerts" : ""}
    >
      <div class="settings">
        <PageHeading title={`${words.pages.settings}: ${settingsWords.tabOf[tab]}`} isHidden />
        <nav class="tabs" aria-label={settingsWords.tabs}>
          {tabs.map((each) => (
            <a key={each} href={pathOf(each)} aria-current={each === tab ? "page" : undefined}>
              {settingsWords.tabOf[each]}
            </a>
          ))}
          <a class="tab-apart" href="/start">
            {words.pages.start}
          </a>
        </nav>
        {isWide ? (
          <Content />
        ) : (
          <div class="settings-tab">
            <Content />
          </div>
        )}
      </div>
    </ScrollArea>
  );
}

function pathOf(tab: Tab): string {
  return tab === "you" ? "/settings" : `/settings?show=${tab}`;
}

/** `/operations` is another address of the tab with the state of the service. */
function shownTab(tabs: readonly Tab[]): Tab {
  if (path.value === "/operations") return "system";
  return tabs.find((tab) => tab === query.value.get("show")) ?? "you";
}

function PricesTab() {
  return (
    <>
      <ProfileSection />
      <RateSection />
    </>
  );
}

function PeopleTab() {
  return (
    <>
      <TokenSection />
      <ActivitySection />
    </>
  );
}

function DataTab() {
  return (
    <>
      <FileSection />
      <Section title={settingsWords.takeAway}>
        <p class="soft">{settingsWords.takeAwayHint}</p>
        <div class="row">
          <a class="button" href="/market">
            {words.pages.market}
          </a>
          <a class="button" href="/deals?range=all">
            {words.pages.deals}
          </a>
        </div>
      </Section>
      <Section title={settingsWords.backup}>
        <p class="soft">{settingsWords.backupHint}</p>
        <ForEngineers>
          <p class="soft">{settingsWords.backupCommand}</p>
          <CopyLine text="assay backup" />
        </ForEngineers>
      </Section>
    </>
  );
}

/** All declarations as a file. */
function FileSection() {
  const isBusy = useSignal(false);
  const download = async (): Promise<void> => {
    isBusy.value = true;
    try {
      const headers = { "content-type": "application/yaml" };
      const blob = await new Response(await api.exportManifest({}), { headers }).blob();
      saveFile(blob, `assay-${new Date().toISOString().slice(0, 10)}.yaml`);
      showToast(settingsWords.downloaded);
    } catch (error) {
      tellFailure(error);
    }
    isBusy.value = false;
  };
  return (
    <Section title={settingsWords.file}>
      <p class="soft">{settingsWords.fileHint}</p>
      <div class="row">
        <Button isBusy={isBusy.value} onPress={() => void download()}>
          {settingsWords.download}
        </Button>
      </div>
      <ForEngineers>
        <p class="soft">{settingsWords.fileCommand}</p>
        <CopyLine text="assay apply FILE" />
      </ForEngineers>
    </Section>
  );
}
