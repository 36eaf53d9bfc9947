/** The messages to dealers that are prepared, by language. The person edits them in WhatsApp. */
import { trade } from "./trade.ts";

export type Language = "en" | "de" | "it" | "zh" | "zh-Hant";

export interface MessageWords {
  /** How amounts are written. */
  readonly locale: string;
  readonly greeting: (name: string | undefined) => string;
  /** Between the facts of a watch. */
  readonly comma: string;
  readonly isAvailable: (watch: string) => string;
  /** To someone who looks for it. */
  readonly isLookedFor: (watch: string) => string;
  readonly isOffered: (amount: string) => string;
  /** By the codes of the service. */
  readonly values: Readonly<Record<string, string>>;
}

/** Languages by the country of a number. All others are written to in English. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  DE: "de",
  AT: "de",
  CH: "de",
  LI: "de",
  IT: "it",
  SM: "it",
  CN: "zh",
  HK: "zh-Hant",
  MO: "zh-Hant",
  TW: "zh-Hant",
};

export const MESSAGES: Readonly<Record<Language, MessageWords>> = {
  en: {
    locale: "en-GB",
    greeting: (name) => (name === undefined ? "Hi," : `Hi ${name},`),
    comma: ", ",
    isAvailable: (watch) => `is your ${watch} still available?`,
    isLookedFor: (watch) => `are you still looking for this watch: ${watch}?`,
    isOffered: (amount) => `I can do ${amount}.`,
    values: {
      ...trade.values,
      watch: "watch",
    },
  },
  de: {
    locale: "de-DE",
    greeting: (name) => (name === undefined ? "Hallo," : `Hallo ${name},`),
    comma: ", ",
    isAvailable: (watch) => `ist die ${watch} noch zu haben?`,
    isLookedFor: (watch) => `suchst du diese Uhr noch: ${watch}?`,
    isOffered: (amount) => `Ich kann ${amount} zahlen.`,
    values: {
      NEW: "neu",
      LIKE_NEW: "wie neu",
      USED: "getragen",
      FULL_SET: "Full Set",
      WATCH_AND_CARD: "Uhr mit Karte",
      WATCH_AND_BOX: "Uhr mit Box",
      WATCH: "nur Uhr",
      watch: "Uhr",
    },
  },
  it: {
    locale: "it-IT",
    greeting: (name) => (name === undefined ? "Ciao," : `Ciao ${name},`),
    comma: ", ",
    isAvailable: (watch) => `${watch}: è ancora disponibile?`,
    isLookedFor: (watch) => `${watch}: lo stai ancora cercando?`,
    isOffered: (amount) => `Posso fare ${amount}.`,
    values: {
      NEW: "nuovo",
      LIKE_NEW: "pari al nuovo",
      USED: "usato",
      FULL_SET: "full set",
      WATCH_AND_CARD: "orologio e garanzia",
      WATCH_AND_BOX: "orologio e scatola",
      WATCH: "solo orologio",
      watch: "orologio",
    },
  },
  zh: {
    locale: "zh-CN",
    greeting: (name) => (name === undefined ? "您好，" : `${name} 您好，`),
    comma: "，",
    isAvailable: (watch) => `请问您的 ${watch} 还在吗？`,
    isLookedFor: (watch) => `请问您还在找 ${watch} 吗？`,
    isOffered: (amount) => `我可以出 ${amount}。`,
    values: {
      NEW: "全新",
      LIKE_NEW: "近新",
      USED: "二手",
      FULL_SET: "全套",
      WATCH_AND_CARD: "表和保卡",
      WATCH_AND_BOX: "表和盒子",
      WATCH: "单表",
      watch: "手表",
    },
  },
  "zh-Hant": {
    locale: "zh-HK",
    greeting: (name) => (name === undefined ? "您好，" : `${name} 您好，`),
    comma: "，",
    isAvailable: (watch) => `請問您的 ${watch} 還在嗎？`,
    isLookedFor: (watch) => `請問您還在找 ${watch} 嗎？`,
    isOffered: (amount) => `我可以出 ${amount}。`,
    values: {
      NEW: "全新",
      LIKE_NEW: "近新",
      USED: "二手",
      FULL_SET: "全套",
      WATCH_AND_CARD: "錶和保卡",
      WATCH_AND_BOX: "錶和盒子",
      WATCH: "單錶",
      watch: "手錶",
    },
  },
};
