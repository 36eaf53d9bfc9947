import type { OperationsFinding, OperationsReport } from "../../../client/assay-client.ts";
import { CopyLine } from "../../parts/copy-line.tsx";
import { Section } from "../../parts/section.tsx";
import { operationsWords } from "../../words/operations.ts";

/** What the checks found, with the command that helps. Those that are fine are folded. */
export function FindingSection({ report }: { readonly report: OperationsReport }) {
  const { findings, pending_checks } = report;
  const bad = findings.filter(({ is_fine }) => !is_fine);
  const fine = findings.filter(({ is_fine }) => is_fine);
  return (
    <Section title={operationsWords.findings}>
      {bad.length === 0 ? <p class="soft">{operationsWords.noFindings}</p> : null}
      {bad.length === 0 ? null : <Findings findings={bad} />}
      {pending_checks.length === 0 ? null : (
        <p class="sub">{operationsWords.pending(pending_checks.join(", ").replaceAll("_", " "))}</p>
      )}
      <details class="fold">
        <summary>{operationsWords.fineChecks(fine.length)}</summary>
        <Findings findings={fine} />
      </details>
    </Section>
  );
}

function Findings({ findings }: { readonly findings: readonly OperationsFinding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ text, command, is_fine }, at) => (
        <li key={`${at} ${text}`} class={is_fine ? "" : "is-bad"}>
          <p>{text}</p>
          {command === undefined ? null : <CopyLine text={command} />}
        </li>
      ))}
    </ul>
  );
}
