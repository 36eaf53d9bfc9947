import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Listing, ListingReading } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { MessageText } from "../../parts/message-text.tsx";
import { toMarks } from "../../parts/read-marks.ts";
import { Section } from "../../parts/section.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { useLoad } from "../../state/load.ts";
import { listingWords } from "../../words/listing.ts";
import { FieldTable } from "./field-table.tsx";
import { RefusedTable } from "./refused-table.tsx";
import type { Correcting } from "./send-correction.ts";

export function ReadingSection(props: {
  readonly listing: Listing;
  readonly version: number;
  readonly onCorrected: () => void;
}) {
  const { listing, version, onCorrected } = props;
  const load = useLoad([listing.id, version], (signal) =>
    api.getListingReading({ listing_id: listing.id }, { signal }),
  );
  return (
    <Section title={listingWords.written}>
      <WhenLoaded load={load} rows={4}>
        {(reading) => (
          <Reading
            reading={reading}
            correcting={{ listing, held: reading.correction, onCorrected }}
          />
        )}
      </WhenLoaded>
    </Section>
  );
}

/** Text and tables point at each other: a word at its fields, a field at its words. */
function Reading({
  reading,
  correcting,
}: {
  readonly reading: ListingReading;
  readonly correcting: Correcting;
}) {
  const active = useSignal<readonly string[]>([]);
  const area = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => toMarks(reading), [reading]);
  const focusFirst = (selector: string): void => {
    area.current?.querySelector<HTMLElement>(selector)?.focus();
  };
  const showWords = (field: string): void => focusFirst(`[data-fields~="${CSS.escape(field)}"]`);
  return (
    <div ref={area} class="reading">
      <MessageText
        text={reading.text}
        marks={marks}
        active={active}
        onPress={(field) => focusFirst(`[data-field="${CSS.escape(field)}"]`)}
      />
      {reading.fields.length === 0 ? (
        <p class="soft">{listingWords.nothingRead}</p>
      ) : (
        <FieldTable reading={reading} correcting={correcting} active={active} onShow={showWords} />
      )}
      {reading.left_out.length === 0 ? null : (
        <RefusedTable reading={reading} active={active} onShow={showWords} />
      )}
    </div>
  );
}
