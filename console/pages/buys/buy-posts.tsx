import type { WatchMatch } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Age } from "../../parts/age.tsx";
import { Section } from "../../parts/section.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { useLoad } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";

const READ_MAX = 100;
const SHOWN_MAX = 5;

/** How often the message was posted since the alert matched, and where. */
export function BuyPosts({ row }: { readonly row: WatchMatch }) {
  const id = row.matches[0]?.match.canonical_message_id ?? row.resource_id;
  const firstMatchMs = Math.min(...row.matches.map(({ match }) => match.matched_at_ms));
  const load = useLoad([id], (signal) =>
    api.listOccurrences({ canonical_message_id: id, limit: READ_MAX }, { signal }),
  );
  return (
    <Section title={buysWords.posted}>
      <WhenLoaded load={load} rows={1}>
        {({ items, next_cursor }) => {
          const sinceCount = items.filter(({ sent_at_ms }) => sent_at_ms > firstMatchMs).length;
          const isMore = next_cursor !== undefined;
          return (
            <>
              <p class="sub">{buysWords.since(sinceCount, isMore && sinceCount === READ_MAX)}</p>
              <ul class="posts">
                {items.slice(0, SHOWN_MAX).map(({ id: postId, group_name, sent_at_ms }) => (
                  <li key={postId}>
                    <bdi title={group_name}>{group_name ?? buysWords.unnamedGroup}</bdi>
                    <Age atMs={sent_at_ms} />
                  </li>
                ))}
              </ul>
              {items.length > SHOWN_MAX ? (
                <p class="sub">{buysWords.morePosts(items.length - SHOWN_MAX, isMore)}</p>
              ) : null}
            </>
          );
        }}
      </WhenLoaded>
    </Section>
  );
}
