import { CopyLine, CopyText, ForEngineers } from "../../parts/copy.tsx";
import { Age } from "../../parts/figures.tsx";
import { startWords } from "../../words/start.ts";
import type { StepProps } from "./steps.ts";

const words = startWords.gateway;
const ADDRESS = `${location.origin}/v2/webhooks/waha`;
const CONFIG = {
  webhooks: [
    {
      url: ADDRESS,
      events: [
        "message.any",
        "message.edited",
        "message.revoked",
        "session.status",
        "group.v2.join",
        "group.v2.update",
        "group.v2.participants",
      ],
      hmac: { key: words.key },
      retries: { policy: "exponential", delaySeconds: 2, attempts: 15 },
    },
  ],
};
const PHOTOS_COMMAND =
  "ASSAY_MEDIA=on ASSAY_WAHA_URL='http://localhost:3000' ASSAY_WAHA_API_KEY='…' assay serve";
const KEY_COMMANDS = ["openssl rand -hex 32", "ASSAY_WAHA_HMAC_KEY='…' assay serve"];

/** What to paste into WAHA, and a light that goes on with the first event. */
export function GatewayStep({ state }: StepProps) {
  const isRefusing = state.findings.some(({ is_fine }) => !is_fine);
  return (
    <>
      <p>{words.intro}</p>
      <ForEngineers isOpen={state.sessions.length === 0}>
        <p class="soft">{words.paste}</p>
        <CopyText label={words.config} text={JSON.stringify(CONFIG, undefined, 2)} />
        <p class="soft">{words.keyHint}</p>
        {isRefusing ? (
          <>
            <p class="soft">{words.keyCommand}</p>
            {KEY_COMMANDS.map((command) => (
              <CopyLine key={command} text={command} />
            ))}
          </>
        ) : null}
        <p class="soft">{words.photos}</p>
        <CopyLine text={PHOTOS_COMMAND} />
        <div class={isRefusing ? "notice" : "soft"}>
          {words.says}
          <ul>
            {state.findings.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      </ForEngineers>
      <Light {...state} />
    </>
  );
}

function Light({ sessions }: Pick<StepProps["state"], "sessions">) {
  const latest = sessions.toSorted(
    (left, right) => (right.last_activity_at_ms ?? 0) - (left.last_activity_at_ms ?? 0),
  )[0];
  if (latest === undefined) {
    return (
      <p class="status is-off event-light" role="status">
        {words.waiting}
      </p>
    );
  }
  return (
    <p class="status event-light" role="status">
      <b>{words.received}</b> <bdi>{words.from(latest.label ?? latest.gateway_name)}</bdi>{" "}
      <span class="soft" aria-hidden="true">
        {words.last} <Age atMs={latest.last_activity_at_ms ?? 0} />
      </span>
    </p>
  );
}
