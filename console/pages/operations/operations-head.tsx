import type { OperationsReport } from "../../../client/assay-client.ts";
import { Age } from "../../parts/age.tsx";
import { Button } from "../../parts/button.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { Tag } from "../../parts/tag.tsx";
import { operationsWords } from "../../words/operations.ts";
import { words } from "../../words/words.ts";

/** One sentence, and when it was true. It has one line whatever happens, so that nothing below it moves. */
export function OperationsHead(props: {
  readonly report: OperationsReport;
  readonly hasFailed: boolean;
  readonly load: { readonly reload: () => void };
}) {
  const { report, hasFailed, load } = props;
  const badCount = report.findings.filter(({ is_fine }) => !is_fine).length;
  return (
    <header class="operations-head">
      <PageHeading title={words.pages.operations} />
      <p class={badCount === 0 ? "good-words" : "warn-words"}>
        {badCount === 0 ? operationsWords.fine : operationsWords.bad(badCount)}
      </p>
      <span class="grow" />
      <p class="sub">
        {operationsWords.readAt} <Age atMs={report.as_of_ms} />{" "}
        {hasFailed ? <Tag tone="warn">{operationsWords.notRead}</Tag> : null}
      </p>
      <Button onPress={load.reload}>{operationsWords.refresh}</Button>
    </header>
  );
}
