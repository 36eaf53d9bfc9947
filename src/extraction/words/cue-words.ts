import type { Cue } from "../text/meaning.ts";
import { splitWords } from "./word-list.ts";

/** "I pay the shipping" is a term of the sale, and not a bid. */
const PAID_SHIPPING: readonly string[] = [
  ..."i pay,we pay,i'll pay,ill pay,i will pay,we will pay,will pay,paying"
    .split(",")
    .flatMap((payer) =>
      "shipping,the shipping,for shipping,for the shipping,the label,for the label,postage,the postage,the fees,the duties,the insurance,the delivery"
        .split(",")
        .map((cost) => `${payer} ${cost}`),
    ),
  ...splitWords(`
    zahle den versand, zahle versand, versand zahle ich, pago el envio, pago envio, pago yo el envio, je paie le port, je paie l'envoi, betaal de verzending,
    betaal verzending, pago la spedizione, pago io la spedizione, pago spedizione
  `),
];

/** Words that the rules look for. `limit` is an upper limit of a price, `label` is a term of the sale. */
export const CUE_WORDS: Readonly<Partial<Record<Cue, readonly string[]>>> = {
  retail: splitWords(`
    retail, retails, retails for, retails at, retail price, rrp, msrp, lp, list price, listprice, hkr, official price, store price, boutique price,
    shop price, catalogue price, was, uvp, listenpreis, prix public, prezzo listino, listino, pvp, new price list,
    gold price, gold value, melt value, scrap value, neupreis, nieuwprijs, catalogusprijs, listprijs, prix neuf, prix boutique,
    prezzo di listino, list at, lists at, lists for, they list for, these list for, precio lista, official retail, public price, 公价, 公價, 原价, 原價, usr
  `),
  or: [
    "or",
    "oder",
    "ou",
    "oppure",
    "otherwise",
    "else",
    "if not",
    "sonst",
    "sinon",
    "altrimenti",
    "anders",
    "или",
    "或",
  ],
  without: splitWords(`
    no, without, w/o, missing, ohne, keine, kein, zonder, geen, sans, pas de, senza, sin, 无, 無, 没有
  `),
  box: splitWords(`
    box, boxes, outer box, inner box, double box, inner and outer box, doos, boite, scatola, caja
  `),
  card: splitWords(`
    card, cards, papers, paper, pappers, certificate, cert, warranty card, warranty papers, papiere, papieren, papiers,
    documenti, garanzia, papeles, kaart, karte, garantiekaart, garantiekarte, carte de garantie
  `),
  unit_of_measure: splitWords(`
    link, links, mm, cm, gram, grams, gr, day, days, hours, hrs, weeks, week, month warranty, pcs, pieces, pc,
    piece, units, th, nd, st, rd, star, jewels, carat, carats, cts, o'clock, line, screws, screw, series, serial,
    ser, min, mins, meters, metre, x, glieder, schakels, tage, dagen, jours, giorni, dias, years, yrs old,
    year warranty, years warranty, yr warranty, posts, reviews, hz, bph, atm, bar, ft
  `),
  count_before: splitWords(`
    item, item no, item #, sku, stock no, stock number, ltd, limited, limited edition, limited to, nr,
    cal, calibre, caliber, movement, serial no, short, minus, tel, phone, whatsapp, page, add, size,
    wrist, ref code, case, edition, lot of, qty
  `),
  year_word: splitWords(`
    y, yr, yrs, year, years, jahr, jaar, annee, anno, ano, 年, dated, bj, baujahr, bouwjaar, prod
  `),
  other_amount: splitWords(`
    reserve with, reserved with, deposit, deposit required, deposit of, with a deposit of, down payment, shipping cost, shipping costs, shipping fee, postage, insurance, insured for, customs, duties, import duty,
    marktwert, valore di mercato, valeur du marche, market value, market price, market, worth, valued at, value, appraised at, appraisal, replacement value, fee, fees, service cost, service costs,
    repair cost, bought for, bought at, bought it for, paid, i paid, cost me, reward, anzahlung, versand, acompte, caparra, anticipo, aanbetaling, verzending, spedizione
  `),
  limit: splitWords(`
    under, max, maximum, up to, below, less than, budget, around, over, above, more than, at least, minimum, not, unter, bis, tot, onder, uber
  `),
  label: [
    ...splitWords(`
      label, lab, lbl, lable, shipping, ship, shipped, delivered, delivery, fedex, ups, plus label
    `),
    ...PAID_SHIPPING,
  ],
  ignored: splitWords(`
    last yr prod, last year production, last year prod, last production year, last prod year,
    last year of production, one owner, wood tag, oyster perpetual date, at 6, at 12, at 9
  `),
};

export const MONTH_WORDS: readonly (readonly string[])[] = [
  ["january", "jan", "januar", "januari", "janvier", "gennaio", "enero", "ene"],
  ["february", "feb", "februar", "februari", "fevrier", "febbraio", "febrero"],
  ["march", "mar", "marz", "maerz", "maart", "mrt", "mars", "marzo"],
  ["april", "apr", "avril", "avr", "aprile", "abril"],
  ["may", "mai", "mei", "maggio", "mayo"],
  ["june", "jun", "juni", "juin", "giugno", "junio"],
  ["july", "jul", "juli", "juillet", "luglio", "julio"],
  ["august", "aug", "augustus", "aout", "agosto"],
  ["september", "sept", "sep", "septembre", "settembre", "septiembre"],
  ["october", "oct", "oktober", "okt", "octobre", "ottobre", "octubre"],
  ["november", "nov", "novembre", "noviembre"],
  ["december", "dec", "dezember", "dez", "decembre", "dicembre", "dic", "diciembre"],
];

/** Things that dealers sell besides watches. A line that names one offers no watch. */
export const ACCESSORY_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    gloves, glove, cufflinks, cufflink, clock, clocks, winder, winders, opener, openers, screwdriver, bergeon, pen, pens, wallet, wallets, keychain,
    keyring, bag, bags, handbag, birkin, kelly, constance, evelyne, lindy, picotin, flap, scarf, goyard, necklace, earrings, bangle,
    iphone, sneakers, jewelry, jewellery, cleef, trinity, manschettenknopfe, manchetknopen, gemelli, gemelos,
    wanduhr, tischuhr, book, books, copy, poster, magazine, ashtray, umbrella, lighter, humidor
  `),
);

/** Parts of a watch. No watch is offered if the reference only says what the part fits. */
export const PART_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    strap, straps, buckle, buckles, clasp, clasps, deployant, bracelet, bracelets, dial, dials, links, link, bezel,
    bezels, insert, inserts, box, boxes, parts, part, crown, hands, handset, movement, crystal, booklet, booklets,
    tag, tags, hangtag, band, bands, endlinks, pusher, pushers, armband, zifferblatt, bandje, cinturino, correa, deployante, deployment,
    boucle, fermoir, cadran, lunette, mouvement, schliesse, faltschliesse, lunette, uhrwerk, gesp, wijzerplaat, fibbia, quadrante, ghiera,
    movimento, hebilla, esfera, bisel, rotor, caseback, glass, gasket, boite, scatola, doos, caja, schachtel, hand, crystals, glieder, maglie, maglia, maillon, maillons, schakel, schakels, eslabon, eslabones, 表节, 錶節, zeiger, zeigersatz, wijzers, aiguilles, lancette, agujas, tools, pouch, travelcase, manual, certificate, papers, warranty
  `),
);

export const FIT_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    for, fit, fits, from, off, fuer, fur, voor, pour, per, para, von, uit, van
  `),
);

/** Words that join two watches. */
export const JOINING_WORDS: ReadonlySet<string> = new Set(
  "and or und oder en of et ou e o y".split(" "),
);

/** A date shortly after one of these is not the date of the card. */
export const OTHER_DATE_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    service, serviced, cpo, overhauled, overhaul, until, till, bis, since, revision, revised, revisione,
    introduced, launched, reissued, established, est, founded, patented, clasp, stamped, stamp, discontinued, list, lista, liste, lijst, update, updated, extract, archive, archives, certified, valid, calibre,
    caliber, cal, sku, item
  `),
);

/** Words that announce a reference. */
export const REFERENCE_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    ref, reff, refs, reference, referenz, referentie, referencia, riferimento, rif, 型号, 型號
  `),
);

/** A number after one of these is not a reference. */
export const NUMBERED_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    sku, item, calibre, caliber, cal, movement, serial, code, tel, phone, whatsapp, id, lot, case, art,
    artikel
  `),
);

/** Parts with a number of their own. The number belongs to the part only if a colon is between them. */
export const NUMBERED_PARTS: ReadonlySet<string> = new Set([
  "bracelet",
  "clasp",
  "buckle",
  "strap",
  "band",
  "endlink",
  "endlinks",
  "crown",
  "dial",
  "bezel",
]);
