import { trade } from "./trade.ts";

interface Channel {
  /** In the form. */
  readonly name: string;
  /** In a sentence. */
  readonly noun: string;
  readonly hint: string;
  /** By the members of the service. */
  readonly fields: Readonly<Record<string, ChannelField>>;
}

export interface ChannelField {
  readonly label: string;
  readonly hint?: string;
  /** Written here, never read. */
  readonly isSecret?: true;
  readonly isOptional?: true;
  /** The form can make a secret. */
  readonly isMade?: true;
}

const URL_LABEL = "Address";

/** What sends notifications, in the order of the form. A channel that is not listed here is made with the API or a manifest only. */
export const CHANNELS = {
  ntfy: {
    name: "Phone",
    noun: "phone",
    hint: "A short text on your phone, by the free app ntfy: choose a topic that is hard to guess, and subscribe to it in the ntfy app.",
    fields: {
      url: { label: URL_LABEL, hint: "https://ntfy.sh/a-topic-that-is-hard-to-guess" },
      token: {
        label: "Access token",
        hint: "Only for a topic with access control.",
        isSecret: true,
        isOptional: true,
      },
    },
  },
  telegram: {
    name: "Telegram",
    noun: "Telegram",
    hint: "A short text in a chat: write /newbot to @BotFather for a bot, then write to the bot or add it to a group.",
    fields: {
      bot_token: { label: "Token of the bot", hint: "As BotFather shows it.", isSecret: true },
      chat_id: {
        label: "Chat",
        hint: "A number such as -1001234567890, or the @name of a channel",
      },
    },
  },
  email: {
    name: "Mail",
    noun: "mail",
    hint: "A short text by mail. Whoever runs Assay must have set up a mail server for it.",
    fields: { to: { label: "To" } },
  },
  standard: {
    name: "Program",
    noun: "program",
    hint: "Signed JSON for a program of your own, at its address.",
    fields: {
      url: { label: URL_LABEL, hint: "https://example.org/hook" },
      secret: {
        label: "Secret",
        hint: "whsec_ and 24 to 64 random bytes in base64. The receiver needs the same one.",
        isSecret: true,
        isMade: true,
      },
    },
  },
} as const satisfies Readonly<Record<string, Channel>>;
export type ChannelKind = keyof typeof CHANNELS;

/** The channel of a target. One that a newer service knows is shown as a program. */
export function channelKindOf(kind: string): ChannelKind {
  return Object.hasOwn(CHANNELS, kind) ? (kind as ChannelKind) : "standard";
}

/** The words of notifications, which the service calls targets. */
export const targetsWords = {
  create: "New notification",
  caption: "Notifications",
  name: "Name",
  where: "Sends to",
  alerts: "Alerts",
  quiet: "Quiet hours",
  kindOf: (kind: string) =>
    Object.hasOwn(CHANNELS, kind) ? CHANNELS[kind as ChannelKind].noun : kind,
  kind: "Kind",
  allAlerts: "All alerts",
  someAlerts: "Only these alerts",
  alertCount: (count: number) => (count === 1 ? "1 alert" : `${count} alerts`),
  deletedAlert: "a deleted alert",
  none: "Nothing is sent anywhere yet.",
  noneHint:
    "A notification brings matches to your phone, a chat, a mailbox or a program, while no browser is open. The quickest is a phone: it needs only the app ntfy and a topic.",
  gone: "gone",
  goneWhy: (time: string) =>
    `Since ${time} it says that it is gone. Nothing is sent until it is changed, a test arrives or a delivery is retried.`,
  ofManifest: `in a ${trade.file}`,
  manifestWhy: `This notification stands in a ${trade.file}, so it is changed there. Here you can test it and retry deliveries.`,
  back: "Notifications",
  newTitle: "New notification",
  missing: "This notification does not exist.",
  secretStored: "Stored and never shown. Type to replace it.",
  cutAddress: "Only owners see all of it. To replace it, type the whole address.",
  removeSecret: "Remove the stored token",
  makeSecret: "Make one",
  madeSecret: "Copy it now: once saved, it is never shown again.",
  hasQuiet: "Quiet hours",
  hasQuietHint: "What becomes due meanwhile is sent afterwards.",
  from: "From",
  until: "To",
  zone: "Time zone",
  findAlert: "Find an alert",
  save: "Save",
  createIt: "Create the notification",
  unchanged: "Nothing has changed",
  saved: (name: string) => `“${name}” is saved`,
  created: (name: string) => `“${name}” is there. Test it now.`,
  conflict: "This notification was changed meanwhile, elsewhere.",
  warnings: "Saved, with a warning:",
  removeHint: "What waits for it is not sent, and the list of its deliveries is deleted.",
  test: "Send a test",
  testing: "Sending …",
  arrived: (result: string) => `The test arrived: ${result}`,
  failed: (result: string) => `The test did not arrive: ${result}`,
  deliveries: "Deliveries",
  deliveriesHint: "Newest first",
  deliveriesNone:
    "Nothing was sent yet. A match of one of its alerts, or a test, shows whether it works.",
  when: "When",
  alert: "Alert",
  state: "State",
  attempts: "Attempts",
  result: "Last result",
  states: { pending: "waits", delivered: "delivered", dead: "given up" },
  next: (wait: string) => `next attempt in ${wait}`,
  due: "due now",
  retry: "Retry",
  retried: "It is sent again now",
  more: "Show more",
} as const;
