import type { DemoMarket } from "./asks.ts";
import { createRandom, type Random } from "./random.ts";

export interface DemoGroup {
  readonly gatewayGroupId: string;
  readonly name: string;
  readonly market: DemoMarket;
}

export interface DemoDealer {
  readonly name: string;
  readonly market: DemoMarket;
  readonly phone: string;
  readonly lid: string;
  /** True if the gateway never learns the dealer's phone number. */
  readonly isHidden: boolean;
  readonly bias: number;
  readonly groups: readonly DemoGroup[];
}

export interface DemoSession {
  readonly name: string;
  readonly role: "receiving" | "sending";
  readonly label: string;
  readonly phone: string;
  readonly lid: string;
}

export const EU_SESSION: DemoSession = {
  name: "recv-eu-1",
  role: "receiving",
  label: "Desk Europe",
  phone: "447700900901",
  lid: "199900000000901",
};
export const HK_SESSION: DemoSession = {
  name: "recv-hk-1",
  role: "receiving",
  label: "Desk Hong Kong",
  phone: "447700900902",
  lid: "199900000000902",
};
export const SENDING_SESSION: DemoSession = {
  name: "send-eu-1",
  role: "sending",
  label: "Offers Europe",
  phone: "447700900903",
  lid: "199900000000903",
};

const MARKETS: readonly DemoMarket[] = ["EU", "HK", "EU", "US", "HK", "EU", "HK", "EU", "EU", "US"];

const GROUP_WORDS: Readonly<Record<DemoMarket, readonly (readonly string[])[]>> = {
  EU: [
    ["EU Watch Dealers", "Euro Trade Floor", "Benelux Traders", "DACH Dealers", "Watch B2B Europe"],
    ["", "Rolex only", "Patek & AP", "under 10k", "ready to ship", "verified"],
  ],
  HK: [
    [
      "HK Watch Trade",
      "Kowloon Dealers",
      "TST Stock List",
      "Harbour Watch Desk",
      "HK Export Floor",
    ],
    ["", "new only", "PP AP RM", "daily list", "wholesale"],
  ],
  US: [
    ["US Watch Traders", "NYC Dealer Room", "Miami Watch Floor", "West Coast Dealers"],
    ["", "Rolex", "vetted", "no retail"],
  ],
};

export function listGroups(count: number): readonly DemoGroup[] {
  return Array.from({ length: count }, (_, at) => {
    const market = MARKETS[at % MARKETS.length] ?? "EU";
    const [heads = [], tails = []] = GROUP_WORDS[market];
    const turn = Math.floor(at / MARKETS.length) * 5 + (at % MARKETS.length);
    const head = heads[turn % heads.length] ?? "";
    const tail = tails[Math.floor(turn / heads.length) % tails.length] ?? "";
    const name = [head, tail].filter((word) => word !== "").join(" – ");
    return {
      gatewayGroupId: `1203630400000${String(10_000 + at)}@g.us`,
      // The number keeps names unique.
      name: `${name} ${at + 1}`,
      market,
    };
  });
}

const FIRST_NAMES =
  `Adrien Anouk Aris Bastian Bea Bram Carlo Chloe Dario Dylan Edgar Elif Emil Enzo Esme Fabio Felix Finn
Gia Hana Henrik Ines Ivo Jade Jasper Jonas Kai Karim Kenji Lars Lena Leo Lin Luca Mads Maja Marco Mei Mika Milan Nadia Nils
Nora Oskar Otto Pia Quinn Rafael Remy Rosa Sami Sofia Sven Tariq Tess Theo Timo Uma Vera Viktor Wei Xavi Yara Yusuf Zoe`.split(
    /\s+/,
  );

/** Names look like profile names: a first name, an initial, and sometimes the business. */
export function listDealers(count: number, groups: readonly DemoGroup[]): readonly DemoDealer[] {
  return Array.from({ length: count }, (_, at) => {
    const random = createRandom("dealer", at);
    const market = MARKETS[at % MARKETS.length] ?? "EU";
    const initial = String.fromCharCode(65 + random.integer(0, 25));
    return {
      name: `${FIRST_NAMES[(at * 7) % FIRST_NAMES.length] ?? "Sam"} ${initial}.${random.pick(["", "", " Watches", " Trading"])}`,
      market,
      phone: phoneOf(market, at),
      lid: `1888000000${String(10_000 + at)}`,
      isHidden: at % 40 === 39,
      bias: 0.004 * random.normal(),
      groups: drawGroups(
        random,
        groups.filter((group) => group.market === market),
      ),
    };
  });
}

function drawGroups(random: Random, groups: readonly DemoGroup[]): readonly DemoGroup[] {
  const count = Math.min(groups.length, random.integer(2, 5));
  const start = random.integer(0, groups.length - 1);
  return Array.from({ length: count }, (_, at) => groups[(start + at * 3) % groups.length]).filter(
    (group, at, all): group is DemoGroup => group !== undefined && all.indexOf(group) === at,
  );
}

/**
 * Returns a phone number that is not in use. The regulators of Britain, France, Ireland, Germany and North America reserve
 * numbers for fiction. Hong Kong does not, but no number there starts with 0.
 */
function phoneOf(market: DemoMarket, at: number): string {
  const number = (digits: number): string => String(at).padStart(digits, "0");
  if (market === "HK") return `8520000${number(4)}`;
  if (market === "US") return `1${212 + (Math.floor(at / 100) % 5)}55501${number(2).slice(-2)}`;
  switch (at % 4) {
    case 0:
      return `447700900${number(3)}`;
    case 1:
      return `3363998${number(4)}`;
    case 2:
      return `35320910${number(4)}`.slice(0, 12);
    default:
      return `493023125${number(3)}`;
  }
}

/**
 * Returns the sessions that are members of a group. The European session is in the groups of Europe and America, the other
 * one in those of Hong Kong. Both are in some groups of each market.
 */
export function sessionsOf(group: DemoGroup, groups: readonly DemoGroup[]): readonly DemoSession[] {
  const peers = groups.filter(({ market }) => market === group.market);
  const isShared = peers.indexOf(group) < Math.ceil(peers.length / 8);
  if (group.market === "HK") return isShared ? [EU_SESSION, HK_SESSION] : [HK_SESSION];
  return isShared ? [EU_SESSION, HK_SESSION] : [EU_SESSION];
}
