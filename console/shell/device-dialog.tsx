/** Signs in a phone without typing: a QR code with a link that works once. Loaded when it is opened, with what draws the code. */
import encodeQr from "qr";
import type { SignInLink } from "../../client/assay-client.ts";
import { api, type Failure } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { ForEngineers } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Broken, Loading } from "../parts/states.tsx";
import { nowMs } from "../state/clock.ts";
import { isDeviceOpen } from "../state/commands.ts";
import { type Load, useLoad } from "../state/load.ts";
import { isPresenting } from "../state/preferences.ts";
import { deviceWords } from "../words/devices.ts";
import { formatAge } from "../words/formats.ts";

/** Readers want a margin of four modules. */
const MARGIN = 4;

const close = (): void => {
  isDeviceOpen.value = false;
};

export function DeviceDialog() {
  return (
    <Dialog label={deviceWords.title} class="device" onClose={close}>
      <div class="dialog-head">
        <h2>{deviceWords.title}</h2>
        <Button onPress={close}>{deviceWords.close}</Button>
      </div>
      {isPresenting.value ? <p>{deviceWords.presenting}</p> : <Link />}
    </Dialog>
  );
}

function Link() {
  const load = useLoad([], (signal) => api.createSignInLink({}, { signal }));
  const { value, failure } = load.state.value;
  if (failure !== undefined) return <NoLink failure={failure} load={load} />;
  if (value === undefined) return <Loading rows={4} />;
  const leftMs = value.expires_at_ms - nowMs.value;
  if (leftMs <= 0) {
    return (
      <div class="stack">
        <p>{deviceWords.expired}</p>
        <Button isMain onPress={load.reload}>
          {deviceWords.again}
        </Button>
      </div>
    );
  }
  return (
    <div class="stack">
      <p class="soft">{deviceWords.hint}</p>
      <QrCode text={value.url} />
      <p class="sub">{deviceWords.expires(formatAge(leftMs))}</p>
    </div>
  );
}

function NoLink(props: { readonly failure: Failure; readonly load: Load<SignInLink> }) {
  const { failure, load } = props;
  if (failure.code !== "not_configured") return <Broken failure={failure} onRetry={load.reload} />;
  return (
    <div class="stack">
      <p>{deviceWords.notConfigured}</p>
      <p class="soft">{deviceWords.notConfiguredHint}</p>
      <ForEngineers>
        <p class="soft">{deviceWords.setting}</p>
      </ForEngineers>
    </div>
  );
}

/** Dark on light in every theme, as cameras expect it. */
function QrCode({ text }: { readonly text: string }) {
  const rows = encodeQr(text, "raw", { border: MARGIN });
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={deviceWords.code}
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}
