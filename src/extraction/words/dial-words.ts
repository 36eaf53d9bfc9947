import { splitWords } from "./word-list.ts";

/** By the dial as the API shows it: what dealers write for it. */
export const DIAL_WORDS: Readonly<Record<string, readonly string[]>> = {
  black: splitWords(`
    black, blk, blck, bk, czarny, noire, preto, черный, чёрный, balck, blak, blakc, schwarz, zwart, noir, nero, negro, negra, 黑, 黑色, 黑面
  `),
  white: splitWords(`
    white, wht, whi, bialy, blanche, branco, белый, whte, wihte, whit, weiß, weiss, wit, blanc, bianco, blanco, 白, 白色, 白面
  `),
  blue: splitWords(`
    blue, blu, bule, niebieski, bleue, синий, blie, blau, blauw, bleu, azul, 蓝, 藍, 蓝色, 蓝面, 藍面
  `),
  "light blue": ["light blue", "baby blue"],
  "dark blue": ["dark blue", "midnight blue"],
  "navy blue": ["navy", "navy blue"],
  floral: ["floral", "floreal", "floral motif", "flowers"],
  "bright blue": ["bright blue"],
  "sky blue": ["sky blue"],
  "azzurro blue": ["azzuro blue", "azzurro blue", "azzurro", "azzuro"],
  green: splitWords(`
    green, grn, gren, zielony, verte, зеленый, зелёный, greeen, grean, gruen, grun, groen, vert, verde, 绿, 綠, 绿色, 绿面, 綠面
  `),
  "mint green": [
    "mint green",
    "mintgreen",
    "mint grn",
    "mint dial",
    "mintgrun",
    "mint grun",
    "mintgruen",
  ],
  olive: ["olive green", "green olive", "olive", "oliv", "oliva"],
  grey: splitWords(`
    grey, gray, gry, grise, cinza, серый, grau, grijs, gris, grigio, 灰, 灰色, 灰面
  `),
  "dark grey": ["dark grey", "dark gray"],
  slate: ["slate", "slate grey", "slate gray"],
  rhodium: ["rhodium", "rhod", "rho", "rodium", "rhodiam", "dark rhodium"],
  silver: splitWords(`
    silver, slv, sliver, srebrny, prata, silvr, sil, silber, zilver, argente, argento, plata, 银, 銀
  `),
  champagne: splitWords(`
    champagne, champ, champan, chmp, szampan, champaign, champange, champagn, champage, champane, champagner, 香槟, 香檳
  `),
  gold: ["gold dial", "golden dial", "golden"],
  chocolate: splitWords(`
    chocolate, choco, choc, cho, chocolote, chocolat, choclate, chocholate, schoko, chocolat, 巧克力
  `),
  brown: splitWords(`
    brown, brn, braun, bruin, brun, marrone, marron, 啡
  `),
  coffee: ["coffee", "咖啡"],
  bronze: ["bronze dial"],
  red: splitWords(`
    red, rot, rood, rouge, rosso, rojo, 红, 紅
  `),
  burgundy: ["burgundy", "bordeaux"],
  pink: ["pink", "candy pink", "roze", "rosa", "pnk", "粉", "粉红", "粉紅"],
  rose: ["rose dial"],
  purple: splitWords(`
    purple, violet, lila, viola, morado, 紫, 紫色
  `),
  aubergine: ["aubergine", "aub", "auber"],
  lavender: ["lavender", "lavendar", "lavander", "lav"],
  yellow: splitWords(`
    yellow, gelb, geel, jaune, giallo, amarillo, 黄, 黃
  `),
  orange: ["orange"],
  coral: ["coral", "coral red", "coralred"],
  enamel: ["enamel", "enamelled", "email", "grand feu"],
  beige: ["beige"],
  grape: ["grape", "red grape"],
  khaki: ["khaki", "kaki"],
  cream: ["cream"],
  ivory: ["ivory"],
  salmon: ["salmon", "saumon", "salmone", "三文鱼"],
  sundust: ["sundust", "sunduts", "sundst", "sun dust", "sun"],
  "ice blue": splitWords(`
    ice blue, iceblue, ice, ib, glacier blue, 冰蓝, 冰藍
  `),
  tiffany: ["tiffany", "tiff", "tiffany blue", "tiffany dial"],
  turquoise: [
    "turquoise",
    "turq",
    "turkis",
    "tuerkis",
    "turchese",
    "turquesa",
    "turkoois",
    "turquise",
    "turquois",
    "turqoise",
  ],
  aqua: ["aqua dial", "aqua blue"],
  pistachio: ["pistachio", "pistacchio", "pistacio", "pista", "pistache"],
  candy: ["candy"],
  MOP: splitWords(`
    mop, mother of pearl, perlmutt, parelmoer, nacre, madreperla, nacar, 贝母, 貝母
  `),
  "MOP diamond": ["ng"],
  "diamond VI": ["vi"],
  "diamond VI IX": ["viix", "vixi"],
  "yellow lacquer": ["yml", "yellow lacquer"],
  "Paul Newman": ["pn", "paul newman"],
  meteorite: [
    "meteorite",
    "meteor",
    "mete",
    "met",
    "meteorit",
    "meterorite",
    "meteroite",
    "陨石",
    "隕石",
  ],
  ombre: ["ombre", "hombre", "ombré", "smoked", "smoke", "fume"],
  ghost: ["ghost"],
  taupe: ["taupe"],
  Wimbledon: splitWords(`
    wimbledon, wimb, wim, wimbeldon, 温布尔登, 温网
  `),
  celebration: ["celebration", "bubble", "bubbles", "multicolor"],
  puzzle: ["puzzle"],
  palm: ["palm", "palm motif", "palm dial"],
  motif: ["motif", "fluted motif"],
  linen: ["linen"],
  "tiger iron": ["tiger iron"],
  "tiger eye": ["tiger eye", "tigers eye"],
  onyx: ["onyx"],
  malachite: ["malachite"],
  "lapis lazuli": ["lapis", "lapis lazuli"],
  sodalite: ["sodalite"],
  aventurine: ["aventurine"],
  carnelian: ["carnelian"],
  eisenkiesel: ["eisenkiesel", "eis"],
  opaline: ["opaline"],
  diamond: splitWords(`
    diamond, diamonds, dia, diamond dial, diamanten, diamanti
  `),
  baguette: ["baguette", "bagu"],
  pavé: ["pave", "pavé", "full pave"],
  stick: ["stick", "sticks", "stk"],
  index: ["index", "indexes", "indices", "ind"],
  APH: ["aph"],
  roman: ["roman", "roma", "romans", "rom", "roman numerals"],
  arabic: ["arabic", "arab"],
  skeleton: ["skeleton", "skelly", "openworked", "skeletonized", "squelette"],
};

/** Nicknames of dials: the listing gets the dial's colour, and the nickname as its variant. */
export const DIAL_NICKNAMES: Readonly<
  Record<string, { readonly dial: string; readonly words: readonly string[] }>
> = {
  Panda: {
    dial: "white",
    words: ["panda", "white panda", "panda white", "panda dial", "熊猫", "熊貓"],
  },
  "White Birch": { dial: "white", words: ["white birch", "birch"] },
  "Reverse Panda": {
    dial: "black",
    words: ["reverse panda", "reversed panda", "reverse panda black"],
  },
};

/** Styles come after the colour, so that "ombre green" and "green ombre" are the same dial. */
export const DIAL_STYLES: ReadonlySet<string> = new Set([
  "ombre",
  "motif",
  "palm",
  "puzzle",
  "linen",
  "skeleton",
  "stick",
  "index",
  "roman",
  "arabic",
  "diamond",
  "diamond VI",
  "diamond VI IX",
  "baguette",
  "pavé",
  "APH",
  "enamel",
]);

/** Colours of things that are not the dial. The longer phrase wins over the colour inside it. */
export const NOT_A_DIAL: readonly string[] = splitWords(`
    white tag, white tags, green box, red box, black box, white gold, yellow gold, rose gold, red gold, pink gold,
    everose gold, sand gold, black strap, blue strap, green strap, brown strap, white strap, black leather strap,
    brown leather strap, blue leather strap, black rubber strap, blue rubber strap, white rubber strap, green rubber strap, black ceramic,
    white ceramic, blue ceramic, black bezel, blue bezel, green bezel, red bezel, diamond bezel, diamonds bezel,
    factory diamond bezel, orange hand, orange bezel, diamond district, aftermarket diamonds, black titanium,
    blue aluminum bezel, black cerachrom, gold numerals, green light, red dot, sun seal,
    or jaune, or rose, or blanc, or gris, oro giallo, oro rosa, oro bianco, oro rosso, oro amarillo, oro blanco, oro rosado,
    black ntpt, white ntpt, red ntpt, blue ntpt, grey ntpt, green ntpt, black carbon, per pn, bitte pn, nur pn, via pn, als pn, pn bitte, pn an, pn me,
    pn fur, rest pn, preis pn
  `);

export const BRACELET_WORDS: Readonly<Record<string, readonly string[]>> = {
  Jubilee: splitWords(`
    jubilee, jub, jubi, jubile, jubelee, 五珠, 五珠带
  `),
  Oyster: splitWords(`
    oyster, oys, oyst, oyster bracelet, 三珠, 三珠带
  `),
  President: ["president", "presi", "pres", "presidential"],
  Oysterflex: ["oysterflex", "oyster flex", "oflex"],
  leather: splitWords(`
    leather, leather strap, lederband, leer, cuir, pelle, cuero, 皮带, 皮帶
  `),
  rubber: splitWords(`
    rubber, rubber strap, kautschuk, caoutchouc, gomma, caucho, 胶带, 膠帶
  `),
};

export const METAL_WORDS: readonly string[] = splitWords(`
    gold, rg, yg, wg, pg, rose, titanium, platinum, plat, steel, ss, ceramic, carbon, bronze, ntpt, tpt,
    quartz tpt, ti, stainless steel, two tone, tt, everose, solid gold, karat, ct gold, 18kt, 18k, 14k, 18k gold,
    18k yellow gold, 18k rose gold, 18k white gold, 18 k, 18ct, 750
  `);

/**
 * Colours of dials with the endings that German, Dutch, Italian and Spanish give them: "schwarzes Zifferblatt", "esfera
 * blanca". The same words describe bezels, straps and boxes, so these pairs are listed as longer phrases, which win.
 */
const GERMAN_ENDINGS = ["e", "es", "er", "em", "en"];

const GERMAN_STEMS: Readonly<Record<string, readonly string[]>> = {
  black: ["schwarz"],
  white: ["weiss", "weiß"],
  blue: ["blau"],
  green: ["grun", "gruen"],
  "mint green": ["mintgrun", "mintgruen"],
  grey: ["grau"],
  silver: ["silbern"],
  brown: ["braun"],
  red: ["rot"],
  yellow: ["gelb"],
};

const DUTCH: Readonly<Record<string, readonly string[]>> = {
  black: ["zwarte"],
  white: ["witte"],
  blue: ["blauwe"],
  green: ["groene"],
  grey: ["grijze"],
  silver: ["zilveren"],
  brown: ["bruine"],
};

/** The things are before the colour, so only the endings that `DIAL_WORDS` lacks are here. */
const FEMININE: Readonly<Record<string, readonly string[]>> = {
  black: ["nera"],
  white: ["bianca", "blanca"],
  grey: ["grigia"],
  silver: ["plateada", "plateado", "argentata"],
  red: ["rossa", "roja"],
  yellow: ["gialla", "amarilla"],
};

/** By the dial as the API shows it. */
export const INFLECTED_DIALS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(GERMAN_STEMS).map(([dial, stems]) => [
    dial,
    [...inflect(stems), ...withMet(DUTCH[dial] ?? []), ...(FEMININE[dial] ?? [])],
  ]),
);

const COLOURS_BEFORE: readonly string[] = [
  ...Object.values(GERMAN_STEMS).flatMap(inflect),
  ...Object.values(DUTCH).flat(),
];
const COLOURS_BEHIND = (
  "nero nera bianco bianca rosso rossa grigio grigia blu verde negro negra blanco blanca rojo roja azul gris " +
  "noir noire blanc blanche bleu bleue vert verte rouge marron marrone"
).split(" ");

/** "Schwarze Lünette", "correa negra": colours of other things. */
export const COLOURED_THINGS: readonly string[] = [
  ...pairs(
    COLOURS_BEFORE,
    "lunette keramiklunette band armband box schachtel karte keramik doos kaart".split(" "),
  ),
  ...pairs("ghiera cinturino scatola bisel correa caja lunette boite".split(" "), COLOURS_BEHIND),
];

/** "Braunes Lederband", "cuir noir": a bracelet with a colour. */
export const COLOURED_STRAPS: Readonly<Record<string, readonly string[]>> = {
  leather: [
    ...pairs(COLOURS_BEFORE, ["lederband", "lederarmband"]),
    ...pairs(["cuir", "pelle", "piel", "cuero"], COLOURS_BEHIND),
  ],
  rubber: [
    ...pairs(COLOURS_BEFORE, ["kautschukband"]),
    ...pairs(["caoutchouc", "gomma", "caucho"], COLOURS_BEHIND),
  ],
};

/** "Met" alone is short for meteorite. Before a Dutch colour it means "with". */
function withMet(colours: readonly string[]): readonly string[] {
  return colours.flatMap((colour) => [colour, `met ${colour}`]);
}

function inflect(stems: readonly string[]): readonly string[] {
  return stems.flatMap((stem) => GERMAN_ENDINGS.map((ending) => stem + ending));
}

function pairs(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.flatMap((word) => second.map((other) => `${word} ${other}`));
}
