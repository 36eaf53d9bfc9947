import { formatCount } from "./formats.ts";

export const startWords = {
  intro:
    "Six steps from an empty store to the first buy. Each step looks for itself whether it is done, so you can leave this page at any time and come back.",
  readOnly: "Your token may only read. Sign in with one that may write to set Assay up.",
  stepOf: (number: number, title: string) => `${number}. ${title}`,
  done: "done",
  open: "open",
  skipped: "skipped",
  skip: "Skip this step",
  unskip: "Do it after all",
  allDone: "Assay is set up.",
  allDoneHint:
    "From now on, every watch that an alert looks for is on Buys as soon as a dealer posts it.",
  someSkipped: (titles: string) => `Skipped: ${titles}. You can do that at any time.`,
  toBuys: "Go to Buys",
  steps: {
    gateway: "Link a phone",
    markets: "Tell Europe from Hong Kong",
    references: "Watch the most asked references",
    alert: "Make the first alert",
    target: "Choose where buys are sent",
    live: "Go live",
  },

  gateway: {
    intro:
      "Assay reads your groups through WAHA, a program that is linked to your phone as WhatsApp Web is. Whoever runs it sets it up once; the light below goes on with the first message.",
    paste: "Put this into the settings of WAHA for the phone:",
    address: "The address that WAHA posts events to:",
    config: "Settings of WAHA",
    key: "THE KEY",
    photos:
      "Photos are off until you switch them on. Then Assay fetches the pictures of listings from WAHA, makes them small and keeps them in its store:",
    keyHint:
      "Instead of THE KEY, put the key that Assay was started with as ASSAY_WAHA_HMAC_KEY. If WAHA runs on another machine or in a container, put the address at which it reaches Assay.",
    keyCommand: "A key is made in a shell, and given to Assay when it starts:",
    says: "What Assay says about messages now:",
    waiting: "Waiting for the first message …",
    received: "First message received",
    from: (phone: string) => `from the phone ${phone}`,
    last: "the last one",
    done: (count: number) => (count === 1 ? "1 phone is linked" : `${count} phones are linked`),
  },

  markets: {
    intro:
      "Prices compare asks of Europe with asks of Hong Kong, which get a mark-up. The country of the dealer’s number says which is which. You can change that later in the market, under Saved searches.",
    EU: { title: "Europe", hint: "numbers of the EU, the United Kingdom, Switzerland and Norway" },
    HK: { title: "Hong Kong", hint: "numbers of Hong Kong, Macau and China" },
    exists: (name: string) => `“${name}” is there`,
    create: (count: number) => (count === 1 ? "Create it" : "Create both"),
    created: "Both markets are told apart now",
    done: (names: string) => names,
  },

  references: {
    intro:
      "Assay prices what you watch, by year and condition. These are asked most in your groups:",
    none: "No watch was read yet. The references appear here by themselves as messages arrive.",
    caption: "The references that are asked most",
    asks: (count: number) => (count === 1 ? "1 ask" : `${formatCount(count)} asks`),
    watched: "watched",
    profile: (name: string) => `They are priced by the desk rules “${name}”.`,
    newProfile:
      "They are priced by new desk rules, “Core”: at least three asks of 30 days, at least €500 profit, no watches without papers, in trial. They are in Settings, under Prices.",
    newProfileHidden:
      "They are priced by new desk rules, “Core”, in trial. They are in Settings, under Prices.",
    watch: (count: number) => (count === 1 ? "Watch 1 reference" : `Watch ${count} references`),
    choose: "Choose at least one.",
    created: (count: number) =>
      count === 1 ? "1 reference is watched" : `${count} references are watched`,
    done: (count: number) =>
      count === 1 ? "1 reference is watched" : `${formatCount(count)} references are watched`,
    profileName: "Core",
  },

  alert: {
    intro:
      "An alert decides what is on Buys. The first one reports every buy: an ask that leaves at least the minimum profit.",
    name: "Every buy",
    create: "Report every buy",
    created: "The alert “Every buy” is there",
    other: "Or search the market for something of your own, and choose “Make this an alert” there.",
    toMarket: "Go to the market",
    done: (names: string) => names,
    more: (count: number) => ` and ${count} more`,
  },

  target: {
    intro:
      "Buys reach you while no browser is open, too. The simplest way is the app ntfy: choose a topic that is hard to guess, and subscribe to it on your phone.",
    name: "Name",
    initialName: "my phone",
    url: "Address of the topic",
    urlHint: "Such as https://ntfy.sh/ and your topic.",
    create: "Add and send a test",
    tested: (name: string) => `${name}: the test was sent`,
    testFailed: (name: string, reason: string) =>
      `${name} was added, but the test failed: ${reason}`,
    others: "Telegram, mail and programs are set up in Settings, under Notifications.",
    toAlerts: "Go there",
    done: (names: string) => names,
  },

  live: {
    intro:
      "Desk rules start in trial: their buys are recorded and stand on Buys with the mark “not sent”, and nothing is sent. So look first whether the buys are right. When they are, go live.",
    noProfile: "There are no desk rules yet: watch references first.",
    manifest: (name: string) =>
      `“${name}” stands in a file. The person who runs Assay sets it live there.`,
    shadow: "in trial",
    done: (names: string) => `live: ${names}`,
  },
} as const;
