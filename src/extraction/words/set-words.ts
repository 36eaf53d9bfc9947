import type { FullSetStatus } from "../extraction.ts";
import { splitWords } from "./word-list.ts";

/** English, German, Dutch, French, Italian, Spanish, Chinese. Without accents, because the tokens have none. */
export const SET_WORDS: Readonly<Record<FullSetStatus, readonly string[]>> = {
  FULL_SET: splitWords(`
    full set, fullset, full sets, watch + box + papers, watch + box + card, 箱 保証書あり, 箱保証書あり, 箱保証書付き, 箱・保証書付き, full s, fs, f/s, full, fulset, ful set, complete, complete set, compelte, compelte set, complete full set, completeset,
    full complete set, full box set, compl, comp set, full kit, b&p, b & p, b+p, b/p, b&c, b+c, b/c, c&b, c+b, c/b, box papers, box & papers,
    box and papers, box & paper, box and paper, box / papers, box/papers, box + papers, boxes and papers,
    boxes & papers, box card, box and card, with box and paper, with box and papers, with box & papers, with box & paper, with box and card, box and the papers, with papers and box, with box papers, box & card, box + card, box/card, card & box, card and box, card + box,
    card/box, papers and box, papers & box, paper & box, box and certificate, box cert, inner outer box card,
    whole set, entire set, with everything, has everything, comes with everything, everything included, everything complete, and everything, komplettes set, set complet, complet, full minus wt, all accessories, box und papiere,
    mit box und papieren, box & papiere, komplettset, komplett, volles set, full set deutsch, doos en papieren,
    met doos en papieren, complete set met, volledige set, compleet, boite et papiers, boite papiers,
    coffret complet, scatola e garanzia, scatola e documenti, corredo completo, completo, completa, full optional,
    with card & box, with card and box, with card + box, with cards & box, with cards and box, with papers & box,
    with certificate & box, with certificate and box, mit karte und box, mit papieren und box, box und karte,
    box und garantiekarte, doos en kaart, doos en garantiekaart, garantiekaart en doos, kaart en doos,
    boite et carte, boite + carte, boite & carte, boite carte, carte + boite, scatola + garanzia, caja + garantia, box + karte, box und karte, karte und box, doos + kaart, doos en kaart, carte et boite, papiers et boite, garanzia e scatola, scatola e papers,
    boite papier, boite et papier, boite papiers complet, boite + papiers, con scatola e garanzia, con scatola e documenti, con garanzia e scatola, completos, completas, kompletne, komplet, pudełko i papiery, pudelko i papiery, pudełko i dokumenty, pudelko i dokumenty, box och papper, lada och papper, box + certificate, box & certificate, box + cert, box & cert, полный комплект, с коробкой и документами, коробка и документы, full set complete, box n papers, box & warranty, box and warranty,
    caja y papeles, con caja y papeles, papeles y caja, caja y tarjeta, set completo, 全套, 齐全, 齊全, 单盒证书齐, 盒证齐全, 盒證齊全
  `),
  WATCH_AND_CARD: splitWords(`
    с документами, nur uhr und papiere, uhr und papiere, uhr mit papieren, uhr und karte, montre et papiers, montre papiers, orologio e documenti,
    watches & cards, watches and cards, watches & card, watches and card, certificat seul, papiers seuls, avec certificat, avec papier, horloge + kaart, horloge & kaart, uhr + karte, uhr & karte, montre + carte, head & card, head and card, card and watch, card & watch, card + watch, card/watch, papers and watch, paper and watch, watch and certificate, watch & certificate,
    w/c, w&c, w & c, w+c, w / c, wc, w and c, watch & card, watch and card, watch + card, watch card, watch/card,
    watch with card, watch & card only, watch and card only, w/card, w card, w/ card, with card, with the card,
    with warranty card, with a card, with cards, card only, only card, card included, with original card,
    warranty card included, w&p, w & p, w/p, w+p, wp, watch & papers, watch and papers, watch & paper,
    watch and paper, watch and paper only, watch & paper only, watch papers, watch + papers, with papers,
    with paper, w/ papers, w/papers, w papers, w/paper, with certificate, with cert, certificate only,
    only certificate, only the certificate, only cert, cert only, papers only, only papers, only paper, paper only,
    keine box, ohne schachtel, geen doos, geen box, pas de boite, niente scatola, no scatola, no caja,
    box is gone, box gone, box long gone, lost the box, without the box, box is missing, box missing, original box missing, original box is missing, box is lost, box fehlt, doos ontbreekt, boite manquante, scatola mancante, falta la caja,
    no box, without box, no boxes, w/o box, missing box, has no box, minus box, minus the box, less box, everything but box, everything but the box, all but box, everything except box, everything except the box, mit papieren, mit papiere, nur papiere,
    mit karte, ohne box, met papieren, met kaart, zonder doos, horloge en kaart, avec papiers, avec carte,
    sans boite, con garanzia, con documenti, solo garanzia, orologio e garanzia, senza scatola, con papeles,
    con tarjeta, reloj y tarjeta, sin caja, no box but card, no box but papers, no box but with card, no box but with papers, no box only card, 保証書あり, 保証書付, 保証書付き, ギャラあり, 单证, 單證, 有卡无盒, 表和卡
  `),
  WATCH_AND_BOX: splitWords(`
    watch & box, watch and box, watch + box, watch box, w/b, w&b, w & b, with box, with box only, box only,
    only box, with the box, no certificate, no cert, except papers, except card, except certificate, except no certificate,
    but papers, but card, but no papers, but no card, keine papiere, geen papieren, pas de papiers, no documenti, no garanzia, no papeles,
    papers are missing, papers missing, card is missing, card missing, papiere fehlen, papieren ontbreken, faltan los papeles,
    no papers, no paper, no card, without papers, without card, w/o papers, w/o card,
    mit box, nur box, ohne papiere, met doos, zonder papieren, avec boite, sans papiers, con scatola,
    senza garanzia, con caja, sin papeles, 单盒
  `),
  WATCH: splitWords(`
    watch only, bare watch, head and bracelet only, head & bracelet only, sans boite ni papiers, ni boite ni papiers, ohne box und papiere, ohne alles, senza scatola ne garanzia, senza scatola e garanzia, sin caja ni papeles, zonder doos en papieren, only watch, only watches, watches only, onlywatch, watchonly, ow, o/w, naked, naken, nake, naked watch, so relogio, apenas relogio, head only,
    watch head only, single watch, just watch, just the watch, no box no papers, no box no card, no box or papers,
    no box and papers, no papers no box, no b&p, solo watch, nur uhr, nur die uhr, ohne box und papiere,
    alleen horloge, horloge only, montre seule, solo orologio, solo testa, solo reloj, only the watch, 净表, 淨錶, 淨表, 单表, 單錶,
    裸表, 裸錶
  `),
};

/** Phrases with "card", "box" or "full" that do not say what comes with the watch. */
export const NOT_A_SET: readonly string[] = splitWords(`
    new card, new style card, old card, old style card, wood card, wood style card, nfc card, credit card,
    credit cards, debit card, gift card, business card, green card, style box, box style, new style box,
    dated card, card date, card dated, date on card, service card, service papers, service paper, green box,
    completely, complete ppf, complete service, complete overhaul, complete kit of, full ppf, ppf complete, full links, full link, full gold, full bracelet, full price, full diamond,
    full diamonds, full pave, full rose gold, full yellow gold, full white gold, full steel, full stock,
    full stock list, full service, full serviced, full warranty, full ceramic, full black, full titanium, full rose, full platinum, full yellow, full white, full leather, full baguette, full sapphire, full rainbow, full lume, full lumen, full payment, full refund, full ice,
    full carbon, full year, everything watch, everything you, everything must, everything must go, everything is, everything are, everything on, everything in, everything for,
    everything below, everything available, everything priced, everything ready, everything listed, everything here, everything here is,
    everything else, everything sold, everything has, everything new, missing outer box, outer box missing, outer box is missing, no outer box, without outer box,
    no inner box, no wt, no white tag, no tag, no tags, minus wt, watch box only, empty card, blank card,
    order complete, watch located, watch comes, watch is, head to
  `);
