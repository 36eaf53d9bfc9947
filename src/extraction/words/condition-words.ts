import type { Condition } from "../extraction.ts";
import { splitWords } from "./word-list.ts";

/** English, German, Dutch, French, Italian, Spanish, Chinese. Without accents, because the tokens have none. */
export const CONDITION_WORDS: Readonly<Record<Condition, readonly string[]>> = {
  NEW: splitWords(`
    new, brand new, brandnew, bnew, b new, bn, bnib, nib, new in box, true new, neww, new new, super new, unworn,
    un worn, never worn, not worn, never used, new unworn, fresh, super fresh, fresh new, fresh today, stickered,
    full stickers, full sticker, fully stickered, all stickers, with stickers, with sticker, in stickers, stickers on, sticker on,
    still stickered, con adesivi, mit stickern, avec stickers, with all stickers, stickers, with factory stickers, factory stickers, factory stickered, with full stickers, stickers still on, brnad new, band new, unwon, nos, новый, новые, новая, новое, new old stock, neww old stock, sealed,
    single sealed, double sealed, single seal, double seal, factory sealed, 100% new, 100 % new, neu, fabrikneu,
    nagelneu, ungetragen, brandneu, nieuw, ongedragen, gloednieuw, neuf, neuve, jamais porte, jamais portee, nuovo,
    nowe, nowy, nowa, nuova, nuovi, nuove, neufs, neuves, nuevos, nuevas, novos, novas, novo, nova, mai indossato, mai indossata, nuevo, nueva, sin usar, sin estrenar, a estrenar, 全新, 新表, 新錶, 未使用
  `),
  LIKE_NEW: splitWords(`
    como novo, como nova, like new, likenew, as new, asnew, lnib, lke new, like neww, как новый, как новые, ln, like new in box, look new, looks new, looks like new, look like new, mint, minty,
    mint condition, mint conditions, very mint, mint cond, near mint, pristine, pristine condition, 99%, 99 %, 99% new, 99.9%, 99.9% new, 98%,
    98% new, 95% new, 99new, slider, sliders, true slider, true sliders, slider condition, pass new, can pass as new, almost new,
    nearly new, next to new, near new, excellent like new, used like new, pre owned like new, preowned like new,
    used mint, wie neu, neuwertig, fast neu, als nieuw, zo goed als nieuw, comme neuf, comme neuve, etat neuf,
    pari al nuovo, come nuovo, come nuova, come nuovi, come nuove, como nuevo, como nueva, como nuevos, como nuevas, comme neufs, comme neuves, seminuevo, seminuovo, 99新, 98新, 95新, 九九新, 准新,
    準新
  `),
  USED: splitWords(`
    usati, usate, usados, usadas, usages, gebrauchte, gebruikte, uzywane, uzywany, uzywana, top condition,
    used, used once, pre owned, preowned, pre own, preown, pre owend, preowend, preowed, pre owed, preownd, peowned, preonwed,
    pre onwed, preowened, pre owened, б/у, бу, preloved, pre loved, pre, worn, worn once, worn twice,
    lightly worn, gently worn, barely worn, light use, light wear, light signs of wear, signs of wear,
    signs of use, signs of usage, minor signs of usage, second hand, secondhand, 2nd hand, used good condition,
    good condition, good cond, good unpolished condition, excellent unpolished condition, great unpolished condition, excellent preowned condition, very good condition, very good, great condition, great cond, top condition, top conditions, good conditions, very good conditions, great conditions, excellent conditions, perfect conditions,
    top cond, top zustand, excellent condition, excellent, excellent cond, perfect condition, nice condition,
    fair condition, amazing condition, super condition, polished, needs a polish, needs polish, need polish,
    needs polishing, needs a light polish, need a light polish, needs light polish, need light polish,
    needs a light polish to be like new, need a light polish to be like new, needs light polish to be like new,
    needs a good polish, could use a polish, needs light buff, need a polish, zeer goed, staat zeer goed, sehr gut, zustand sehr gut, zustand gut, tres bon, molto buono, ottime, muy bueno, revisionato, revisionata, revidiert, gereviseerd, fresh service, fresh patek service, fresh rolex service, fresh ap service, serviced, just serviced, just got serviced, freshly serviced,
    revisioniert, uberholt, revidiert, revisionata, revisee, revisado, revisada, gereviseerd, fully serviced, recently serviced, overhauled, fully overhauled, full overhaul, freshly overhauled, poliert, leicht poliert, aufpoliert, gepolijst, lucidato, lucidata, pulido, pulida, 成色很好, 成色好, 成色不错, 成色不錯, vintage, scratches, scuffs, gebraucht, getragen, gebrauchsspuren, gebruikt,
    gedragen, tweedehands, goede staat, goede conditie, great conditie, top conditie, zeer goede conditie, nette staat, mooie staat, perfecte staat, gepflegt, zeer goede staat, guter zustand, sehr guter zustand, occasion, d'occasion,
    bon etat, tres bon etat, usato, usata, secondo polso, seconda mano, buone condizioni, ottime condizioni, ottimo stato, usado,
    usada, segunda mano, buen estado, muy buen estado, 二手, 中古, 旧, 用过, 用過
  `),
};

/** "New" before one of these does not describe the watch. */
export const NEW_BUT_NOT_THE_WATCH: readonly string[] = splitWords(`
    stock, card, style card, warranty card, buckle, movement, strap, straps, style box, style, box, boxes, model, models,
    buttons, bracelet, clasp, links, crystal, bezel, dial, service, price, prices, arrival, arrivals, version,
    generation, gen, battery, papers, paper, warranty, rubber, insert, member, members, group,
    listing, post, stock list, list, year, ref, reference, references, kevlar, leather, pusher, pushers, crown, tag, tags,
    invoice, owner, week, month, batch, shipment, posts, pics, pictures, photos, watches, home, wrist,
    collection, collector, chapter, client, clients, customer, customers, address, number, account, website, shop, store, office
  `);
/** Phrases that look like a condition but are not. The longer phrase wins over the word inside it. */
export const NOT_A_CONDITION: readonly string[] = splitWords(`
    brand new strap, brand new straps, brand new bracelet, brand new buckle, brand new clasp, unpolished, fresh polish, fresh extract,
    fresh archive, fresh archives, fresh papers, fresh overhaul, fresh battery, fresh strap, fresh from service, fresh from rolex service,
    fresh out of service, fresh stock, fresh arrivals, fresh arrival, fresh list, fresh movement service, fresh report, fresh start,
    fresh trade, fresh trades, fresh trade in, fresh trade ins, fresh inventory, fresh batch, fresh deals, fresh pics, fresh photos,
    fresh patek extract, new service papers, new 330, never polished, not polished, no polish, no scratches, retail ready, retail ready condition,
    retailready, mint green, mint dial, very good friend, very good price, very good deal, very good client, new here, new in this group, new to this group, fresh water, fresh serviced card, new to the market,
    new in stock, brand new card, box new style, used to be, used to sell, used to buy, used to cost, used to trade, used to own, used to have, for a new one, than a new one, sold new, bought new, bought it new, bought this new, bought brand new, purchased new, neu gekauft, nieuw gekocht, achete neuf, achetee neuve, comprato nuovo, comprado nuevo,
    unpoliert, nie poliert, nicht poliert, ongepolijst, nooit gepolijst, niet gepolijst, mai lucidato, mai lucidata, non lucidato, non lucidata, no pulido, no pulida, sin pulir, nunca pulido
  `);
