/** The dialog that signs in another device. */
export const deviceWords = {
  title: "Sign in another device",
  hint: "Point the camera of the phone at the code and open the link. It signs that device in as you.",
  code: "A QR code with a link that signs in",
  expires: (age: string) => `The link works once, for another ${age}.`,
  expired: "This link is too old.",
  again: "New code",
  close: "Close",
  notConfigured: "Assay does not know an address at which another device can reach it.",
  notConfiguredHint:
    "Ask the person who runs Assay for one. Until then, sign in on the other device with a token.",
  setting:
    "Set ASSAY_PUBLIC_URL to the address under which browsers reach this service, then start it again.",
  presenting: "Presenter mode is on: others may see this screen, and the code would sign them in.",
} as const;
