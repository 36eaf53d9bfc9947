import type { Alert } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useAfterMatches } from "../../live/unseen-count.ts";
import { useLoad } from "../../state/load.ts";
import { MuteMenu } from "./mute-menu.tsx";

/** The mute of one alert, on its own page. */
export function MuteSwitch({ alert }: { readonly alert: Alert }) {
  const load = useLoad([alert.id], async (signal) => {
    const { items } = await api.listAlertStates({}, { signal });
    return { untilMs: items.find(({ alert_id }) => alert_id === alert.id)?.muted_until_ms };
  });
  useAfterMatches(load.reload);
  const { value } = load.state.value;
  if (value === undefined) return null;
  return (
    <MuteMenu
      alert={alert}
      mutedUntilMs={value.untilMs}
      onMute={(untilMs) => load.change(() => ({ untilMs }))}
    />
  );
}
