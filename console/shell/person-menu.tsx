/** What belongs to the person: how the console looks, keys, other devices, signing out. */
import { signOut } from "../api.ts";
import { Segments } from "../parts/choice.tsx";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Menu } from "../parts/menu.tsx";
import { isDeviceOpen, isKeysOpen } from "../state/commands.ts";
import { isCompact, isPresenting, THEMES, theme } from "../state/preferences.ts";
import { session } from "../state/session.ts";
import { tellFailure } from "../state/toasts.ts";
import { trade } from "../words/trade.ts";
import { words } from "../words/words.ts";

export function PersonMenu() {
  const name = session.value.kind === "signed_in" ? session.value.tokenName : "";
  return (
    <Menu
      class="person"
      isQuiet
      label={
        <>
          <Icon name="person" />
          <span class="sr">{words.person.label}: </span>
          <bdi class="person-name">{name}</bdi>
        </>
      }
    >
      <PersonEntries />
    </Menu>
  );
}

export function PersonEntries() {
  return (
    <>
      <Who />
      <Segments
        label={words.theme.label}
        options={THEMES.map((id) => ({ id, name: words.theme[id] }))}
        chosen={theme.value}
        onChoose={(id) => {
          theme.value = id;
        }}
      />
      <Entry
        icon="presenter"
        isOn={isPresenting.value}
        onPress={() => {
          isPresenting.value = !isPresenting.value;
        }}
      >
        {words.presenter.label}
      </Entry>
      <Entry
        icon="rows"
        isOn={isCompact.value}
        onPress={() => {
          isCompact.value = !isCompact.value;
        }}
      >
        {words.density.label}
      </Entry>
      <Entry
        icon="keys"
        onPress={() => {
          isKeysOpen.value = true;
        }}
      >
        {words.keys.label}
      </Entry>
      <Entry
        icon="device"
        onPress={() => {
          isDeviceOpen.value = true;
        }}
      >
        {words.person.device}
      </Entry>
      <Entry icon="signOut" onPress={() => void signOut().catch(tellFailure)}>
        {words.session.signOut}
      </Entry>
    </>
  );
}

function Who() {
  if (session.value.kind !== "signed_in") return null;
  const { tokenName, role } = session.value;
  return (
    <p class="sub person-who">
      <bdi>{tokenName}</bdi> ({trade.roles[role]})
    </p>
  );
}

/** One that is on or off says so, and has a tick. */
function Entry(props: {
  readonly icon: IconName;
  readonly isOn?: boolean;
  readonly onPress: () => void;
  readonly children: string;
}) {
  return (
    <button
      type="button"
      class="menu-entry"
      {...(props.isOn === undefined ? {} : { "aria-pressed": props.isOn })}
      onClick={props.onPress}
    >
      <Icon name={props.icon} />
      {props.children}
      {props.isOn === true ? (
        <span class="sub">
          <Icon name="check" />
        </span>
      ) : null}
    </button>
  );
}
