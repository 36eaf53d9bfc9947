import { useMemo } from "preact/hooks";
import { navigate } from "../../router.ts";
import { useCommands } from "../../state/commands.ts";
import { useKeys } from "../../state/keys.ts";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";

const LINKS = "tbody a.alert-name";

/** The keys of the list. The row with the focus is the chosen one, so Enter opens it as the link that it is. */
export function useAlertsKeys(): void {
  const mayWrite = canWrite.value;
  const create = useMemo(
    () => ({ key: "n", label: alertsWords.create, run: () => navigate("/alerts/new") }),
    [],
  );
  useKeys(
    useMemo(
      () => [
        { key: "j", label: alertsWords.next, run: () => move(1) },
        { key: "k", label: alertsWords.previous, run: () => move(-1) },
        { key: "Enter", label: alertsWords.open, run: () => move(1) },
        ...(mayWrite ? [create] : []),
      ],
      [mayWrite],
    ),
  );
  useCommands(
    useMemo(
      () => [{ id: "alerts-new", title: alertsWords.create, run: create.run, isWrite: true }],
      [],
    ),
  );
}

function move(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>(LINKS)];
  const at = links.findIndex(
    (link) => link.closest("tr")?.contains(document.activeElement) === true,
  );
  const next = at < 0 ? links[0] : links[at + step];
  next?.focus({ preventScroll: true });
  next?.closest("tr")?.scrollIntoView({ block: "nearest" });
}
