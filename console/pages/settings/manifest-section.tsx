import { useSignal } from "@preact/signals";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { Section } from "../../parts/section.tsx";
import { tellFailure } from "../../state/tell-failure.ts";
import { showToast } from "../../state/toasts.ts";
import { settingsWords } from "../../words/settings.ts";

/** All declarations as a file. */
export function ManifestSection() {
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
    <Section title={settingsWords.manifest}>
      <p class="soft">{settingsWords.manifestHint}</p>
      <Button isBusy={isBusy.value} onPress={() => void download()}>
        {settingsWords.download}
      </Button>
    </Section>
  );
}
