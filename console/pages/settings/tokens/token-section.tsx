import { useSignal } from "@preact/signals";
import type { Token } from "../../../../client/assay-client.ts";
import { api } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import { Section } from "../../../parts/section.tsx";
import { WhenLoaded } from "../../../parts/when-loaded.tsx";
import { usePages } from "../../../state/pages.ts";
import { settingsWords } from "../../../words/settings.ts";
import { words } from "../../../words/words.ts";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { TokenTable } from "./token-table.tsx";

const PAGE_ROWS = 20;

/** Who may use the API: list, create, revoke. */
export function TokenSection() {
  const { load, more } = usePages<Token>([], (cursor, signal) =>
    api.listTokens({ limit: PAGE_ROWS, ...cursor }, signal === undefined ? {} : { signal }),
  );
  const isCreating = useSignal(false);
  const toRevoke = useSignal<Token | undefined>(undefined);
  return (
    <Section title={settingsWords.tokens}>
      <p class="soft">{settingsWords.tokensHint}</p>
      <WhenLoaded load={load} rows={2}>
        {({ items, next_cursor }) => (
          <>
            <TokenTable
              tokens={items}
              onRevoke={(token) => {
                toRevoke.value = token;
              }}
            />
            {next_cursor === undefined ? null : (
              <Button onPress={() => void more()}>{words.more}</Button>
            )}
          </>
        )}
      </WhenLoaded>
      <Button
        isWrite
        onPress={() => {
          isCreating.value = true;
        }}
      >
        {settingsWords.newToken}
      </Button>
      {isCreating.value ? (
        <NewTokenDialog
          onCreated={load.reload}
          onClose={() => {
            isCreating.value = false;
          }}
        />
      ) : null}
      {toRevoke.value === undefined ? null : (
        <RevokeDialog
          token={toRevoke.value}
          onRevoked={load.reload}
          onClose={() => {
            toRevoke.value = undefined;
          }}
        />
      )}
    </Section>
  );
}
