export const settingsWords = {
  look: "Look",
  keyboard: "Keyboard",
  showKeys: "Show the keys",
  notifications: "Notifications",
  targets:
    "To hear of buys while no browser is open, let Assay send them to ntfy, Telegram or e-mail: add a notification target.",
  browsers: "Signed-in browsers",
  browsersHint:
    "Each browser stays signed in for 30 days. A browser that you end here is signed out within a second.",
  phone:
    "To open this console on a phone, sign in there with a link of its own: run “assay console”.",
  current: "this browser",
  since: "signed in",
  lastUsed: "last used",
  end: "End",
  ended: (browser: string) => `${browser} was signed out.`,
} as const;
