import { splitWords } from "./word-list.ts";

/**
 * Words of sentences: English, German, Dutch, French, Italian, Spanish, Russian. Dealers leave them out of offers and
 * requests, so a line with several of them is prose. Without accents, because the tokens have none.
 */
export const SENTENCE_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    the, a, an, is, are, was, were, be, been, being, it, this, that, these, those, they, them, he, she, him, her, i, im, my, mine, me,
    your, yours, you, we, our, us, his, their, there, at, of, to, on, than, then, but, so, if, because, when, while, how, what, why,
    which, where, would, could, should, might, can, did, does, do, dont, has, had, not, about, after, ago, again, ever, too, very, some,
    someone, anybody, everyone, people, guys, always, already, really, never, since, until, during, between, into, over, out, up, down,
    back, more, less, much, many, most, like, same, other, another, every, each, once, well, yes, maybe, think, know, see, saw, said, says,
    tell, told, heard, hear, go, goes, going, went, come, comes, came, get, gets, got, give, gave, take, takes, took, make, makes, made,
    put, let, lets, still, just, even, last, next, week, yesterday, tomorrow, today, tonight, night, year, month, time, times, way,
    rather, have, know, ill, weve, ive, hes, shes, theyre, youre, wasnt, isnt, doesnt, didnt, cant, wont, around, without, though, also, only,
    ich, du, dir, mir, dich, mich, doch, mal, hab, kann, konnte, soll, sich, das, fur, uber, nach, vor, seit, letzte, letzten, woche, immer, nie, alle, mehr,
    kein, keine, hier, jetzt, rund, mit, und, oder, so, bleibt, braucht, die, das, ist, sind, war, ein, eine, einen, mein, meine, wir, ihr, sie, es, nicht, auch, noch, wie, wann, warum, wer, weiss, hat, habe,
    haben, wird, werden, wurde, zu, zum, zur, aus, bei, auf, im, vom, den, dem, des, heute, gestern, morgen, schon, aber, wenn,
    het, een, zijn, mijn, niet, ook, nog, hoe, wat, wanneer, waarom, wie, weet, heeft, hebben, wordt, worden, werd, naar, bij, vandaag,
    gisteren, ik, je, jij, jullie, wij, hij, heb, ben, van, op, om, te, aan, zo, al, dan, wel, geen, meer, zoals, binnen, maar, als, dat, deze, dit, staat, voor, deur, er,
    le, la, les, un, une, est, sont, etait, mon, ma, mes, notre, vous, nous, pas, aussi, encore, comment, quand, pourquoi, qui, que, quoi,
    combien, sait, chez, dans, du, au, aux, ce, cette, je, tu, il, elle, on, avec, sans, pour, sur, par, plus, tres, tout, tous, hier, demain, mais, si, coute,
    il, lo, gli, uno, una, sono, era, mio, mia, nostro, non, anche, ancora, come, quando, perche, chi, che, cosa, quanto, sa, del, della,
    ho, hai, ha, abbiamo, hanno, mi, ti, ci, vi, per, con, piu, tutto, tutti, nel, nella, questo, questa, oggi, ieri, domani, ma, se,
    el, los, las, es, son, fue, mis, nuestro, nosotros, tambien, cuando, quien, alguien, sabe, cuanto, esta, este, yo, tengo, tiene, hay, con, sin, por, para, mas, todo, todos, muy, lo, le, me, te, se, hoy, ayer, manana, pero,
    eu, voce, nao, sim, com, mais, ontem, hoje, ele, ela, isso, esse,
    и, в, на, с, не, что, это, как, кто, где, когда, почему, сколько, знает, стоит, был, была, мой, моя, наш, вы, мы, они, уже, еще, но, если
  `),
);

/** Words and phrases that tell talk about watches from offers, by what they say. See `lines/talk.ts`. */
export const TALK_KINDS = {
  /** A line with one of these is talk, unless everything of an offer is there: questions, warnings, rules, results. */
  talk: splitWords(`
    does anyone know, do you know, anyone know, anybody know if, anybody know when, anyone knows, anybody knows, who knows, is it true, any idea, any ideas, any thoughts, thoughts on,
    your thoughts, your opinion, opinions on, what do you think, what do you guys think, new release, release is, any experience, any feedback, any news, any update on, weiss jemand, weiß jemand, weet iemand,
    how long, how many, how often, what year did, which year did, since when, when did, when will, will they, did they, have they, know if, know whether, know when, know why, know how,
    change my mind, is the new, would you rather, every second post, bilen var,
    theft, robbed, robbery, burglary, scam, scammer, scammers, scammed, beware, be careful, be aware, fake, fakes, counterfeit, replica,
    replicas, superclone, super clone, frankenwatch, blacklist, police report,
    stopped, fyi, price check, service quote, reward, lost yesterday, we sold, sold the, rumour, rumours, rumor, rumors, breaking, article, podcast, youtube, video review, history of, press release, announced,
    announces, announcement, watches and wonders, price increase, price increases, list prices, retail prices, new prices, new retail prices, new retail, new rrp, new list prices, price up, prices up, percent,
    rrp increase, increases prices, raised prices, raises prices, raising prices, raises, price hike, price list update, goes to, new rolex list, new list prices, official list, increase, increases, increased, successor,
    auction, auctions, auctioned, hammer, hammered, hammer price, christies, christie's, sothebys, sotheby's, phillips, antiquorum, 拍卖, 拍賣, live stream, livestream, lots tonight, auction result, auction results, record price, estimate was,
    waiting list, waitlist, warteliste, wachtlijst, liste d'attente, lista d'attesa, allocation, allocated, production numbers, was offered, got offered, been offered, quoting, quoted me, in production,
    wrist check, wristcheck, wrist shot, on my wrist, on the wrist, on wrist today, wearing, wore, wears it, my grail, keeper, my father, my dad, my grandfather, my son, my uncle,
    congrats, congratulations, happy birthday, poll, quiz, uses my photos, using my photos, stole my, do not send him, dont send him, do not send money, admin reminder, tell me if the, guess the, guess what, sold my, sold mine, i sold, sold it for, in the window, tax free, just saw, saw the, saw a, saw an, saw one, i have your, have your, neighbour, customs, declare,
    rules, rule, group rules, regel, regeln, regels, mandatory, banned, for example, no posts, meine sammlung, my collection,
    gestohlen, gefalscht, falschung, auktion, versteigert, versteigerung, geruchte, preiserhohung, marktlage, gestolen, veiling, geveild, prijsverhoging, nep,
    vole, volee, contrefacon, encheres, hausse des prix, rumeur, rubato, rubata, falso, asta, aumento prezzi, robado, robada, subasta, falsificado,
    sanity check, reality check, still market, fair price for, would you polish, would you sell, would you keep, would you buy, would you pay, would you service, would you take, would you hold, should i polish, should i sell, should i keep,
    should i service, should i buy, should i hold, leave it alone, before selling, instead of selling, regret selling, i shipped, we shipped, would have to be, neue uvp, uvp liste, neue listenpreise, nuovo listino, nuevos pvp, subida de precios, can vouch, vouch for, anyone dealt with, anybody dealt with,
    has anyone dealt, anyone worked with, ever dealt with, have references on, has references on, have references for, has references for, you wrote, he wrote, you told me, you said, remember when, was paying, were paying, found a buyer, who else thinks, overpriced, tarifs publics, prix publics, listino rolex, listino ufficiale, listino patek, pvp oficial, retail update, rrp update, msrp update, uvp update, used to sell, used to buy, used to cost, good old days, would you restore,
    claims it's, claims its, claims that, order no, order number, signature required, us list, list from, up approx, send us your, we also buy, fiyatlari, 拍了, 佳士得, 定価, украли, подделка, аукцион, 小心, 假的, 假表, 停產, 停产, 請問, 请问, 聽講, 听说, 點睇, 怎么看, 怎樣看, 被偷, 偷走, 行情, 差幾多, 差多少, 師傅, 师傅
  `),
  /** A line with one of these offers nothing, in any case. */
  refusal: splitWords(`
    example of a good post, example post, not for sale, nfs, never selling, not selling, stolen, on display, scam, scammer, scammers, counterfeit, superclone, guy legit, is he legit, seller legit, is this legit, dealer legit, congrats on, congratulations on, well done on, shipped me a, sent me a, sold me a, good watchmaker, buon orologiaio, bravo orologiaio, guten uhrmacher, bon horloger, buen relojero, goede horlogemaker, asking for a friend, refuses to pay, refused to pay, fair for a, fair for an, fair for this, reasonable for a, too much for a, too high for a, am i dreaming
  `),
  /** Talk about the market. An ask with a date, or a request, beats it: "back on the market", "in the market for". */
  market: splitWords(`
    discontinued, discontinue, is asking, went for, sold for, goes for, trading at, trades at, traded at, market is, the market, market for, market dead, market soft, dead market, market has, market price is, prices are, prices have,
    price is dropping, prices dropping, dropping fast, crazy market, tough market, slow market, since spring, since summer, since winter, since last year, since january, since june, crashing, crashed, bubble burst, my wife,
    nobody is buying, nobody buys, no one is buying, nobody wants, no one wants, nobody pays, no one pays, nobody offers, no one offers, they want, he wants, she wants
  `),
  /** If the first line has one of these and names no watch, the whole message is talk. */
  headline: splitWords(`
    stolen, stolen watches, stolen watch, stolen last night, group rules, poll, quiz, admin reminder, weekly update, market update, market report, weekly report, price index, scam alert, warning, gestohlen, rubato, robado, vole
  `),
  /** A first line with one of these and without a watch opens a list of the maker's prices, unless a line describes a piece. */
  listPrices: splitWords(`
    us list from, uk list from, eu list from, list prices from, new list prices, official list prices, retail prices from, retail prices as of, new retail prices, official retail prices, new rrp, new rrps, rrp list, rrp from,
    retail list, msrp list, new msrp, msrp from, official price list, neue uvp, uvp liste, uvp ab, neue listenpreise, listenpreise ab, nouveaux prix publics, prix publics, nuovo listino, nuovi listini, listino ufficiale, nuevos pvp,
    lista pvp, nieuwe catalogusprijzen, 新公价, 新公價, 公价表, 公價表, 最新公价
  `),
  /** Words of a sale: with one of them a sentence is an offer. */
  offer: splitWords(`
    last chance, lower it, i lower, lowered to, need another one, need another, sitting on, dropped to, last call, still have, i still have, still got, make me an offer, make an offer, offers welcome, ich habe noch, heb nog, j'ai toujours, ho ancora, pm, pm me, dm, dm me, obo, or best offer, best offer, firm, take it for, gets it, takes it, repost, reposting, retail ready, throw in, yours for, let it go for, letting go, let go for, could go for, can go for,
    up for grabs, on offer, offers welcome, open to offers, i have, we have, i have one, i got one, got one, got this, just got in, just in, just landed, just arrived, now available,
    still available, available now, available, ready to ship, ready to go, ships today, on hand, in stock, incoming, priced at, special price, best price,
    for sale, selling, verkaufe, abzugeben, te koop, vends, vendo, beschikbaar, verfugbar, disponible, disponibile, dispo
  `),
  /** With one of these a request is no talk: "let me know if" contains "know if". */
  answer: splitWords(`
    let me know, let us know, lmk, please advise, send me what you have, show me what you have, send me yours, what do you have
  `),
} as const;

/** Words and phrases that speak for a request in a sentence, or against one. See `isSentenceRequest` in `lines/sides.ts`. */
export const REQUEST_KINDS = {
  /** Who is asked. */
  people: splitWords(`
    anyone, anybody, someone, somebody, who, any of you, one of you, you, guys, lads, gents, folks, boys, chaps, everyone, habibi, jemand, einer, wer, ihr, euch, iemand,
    jullie, quelqu'un, vous, qualcuno, voi, alguien, vosotros, alguem
  `),
  /** What these people may do with the watch. */
  having: splitWords(`
    have, has, got, hold, holds, holding, sit, sits, sitting, own, owns, see, sees, spot, spots, find, finds, hear, hears, walk past, walks past, stumble,
    stumbles, bump into, come across, comes across, run into, runs into, source, locate, supply, get, gets, bring, brings, deliver, part with, parts with, spare, walking in, coming in, flying in, help me, help us, hat, habt, hatte, hatten,
    findet, finden, sieht, seht, heeft, hebben, ziet, vindt, avez, aurait, auriez, trouve, trouvez, voit, voyez, ha, hanno, avete, avesse, trova, trovate, vede, vedete, tiene,
    teneis, tenga, encuentra, ve, veis, tem
  `),
  /** What only the one who asks does. */
  seeking: splitWords(`
    seeking, hunting, asking me, asks me, chasing, searching, sourcing, hunt for, the hunt, chase, lookout, seek, buy another, buyer of a, buyer of an, buyer of any, buyers of a, buyers of any, buyer for, buyer at, am a buyer, a buyer here, be a buyer, be buyers, are buyers, buyer waiting, buyer ready, got a buyer, have a buyer, bid, bidding, acquire, asking for, asked for, asks for, after a, after an, after one, after any, are after, is after, am after, been after, heart set on, mind set on, just want, asking again, where can i find, where can i get, where do i find, where can a man find, where can one find, where to find, where to get, put me down, looking to replace, preneur, looking for, looking to add, looking to get, look for, on the search,
    i want a, i want an, i want one, i want any, i want two, we want a, we want an, we want one, we want any, he wants, she wants, i need, we need, he needs, she needs, i take, i can take, we can take, i will take, i would take, we take, we would take, would take, i could use, we could use, could really use, is there anybody with, is there anyone with, is there anybody in, is there anyone in, is there someone with, i would buy, we would buy, i am buying, we are buying, would love, love to have,
    love to find, love to buy, love to get, i lack, we lack, short of, acheteur, acheteurs, kaufer, koper, acquirente, acquirenti, comprador, compradores, suche, suchen, sucht, gesucht, brauche, brauchen, zoek, zoeken, zoekt, nodig, cherche, cherchons, recherche, besoin, voudrais,
    cerco, cerchiamo, cerca, cercando, servirebbe, vorrebbe, busco, buscamos, busca, buscando, necesito, necesita, quisiera, procuro, procura
  `),
  /** What a client or the one who asks does, and people who are offered a watch too. */
  wanting: splitWords(`
    want, wants, need, needs, will, mochte, braucht, sucht, wil, zoekt, veut, cherche, vuole, cerca, quiere, busca, necesita
  `),
  /** For whom. */
  client: splitWords(`
    client, clients, buyer, buyers, customer, customers, collector, gentleman, lady, friend, end user, end users, enduser, boss, mate, guy, fella, buddy, brother, regular, regulars, patient, investor, groom, vip, anniversary, birthday, gift,
    kunde, kundin, kunden, stammkunde, sammler, freund, klant, klanten, vriend, cliente, clienti, amico, amigo, ami, collectionneur, collezionista, coleccionista
  `),
  /** Thanks in advance, and haste. */
  polite: splitWords(`
    please, pls, grateful, appreciated, appreciate, help, favour, favor, owe you, commission, finder, kindly, bitte, dankbar, hilfe, helfen, helpen, graag, merci,
    svp, aide, aider, aiuto, aiutare, grazie, ayuda, ayudar, gracias, delighted, thrilled, rush, hurry, urgent, urgently, asap, eilt, dringend, spoed, don't be shy, not fussy, flexible, as long as, provided, preferably, ideally, must be, has to be
  `),
  /** What would be, and not what is. */
  condition: splitWords(
    `if, should, in case, would, could, can, falls, wenn, sollte, wurde, mocht, zou, serait, caso, fosse, magari`,
  ),
  paying: splitWords(`
    pay, pays, paying, bid, budget, cash, wire, funds, money, max, maximum, under, up to, zahle, zahlt, zahlen, bezahle, betaal, betaalt, paie, paye, pago, paga, pagamos, presupuesto
  `),
  /** An amount beside one of these is no ask. */
  bidding: splitWords(`
    pay, pays, paying, bid, buyer, buyers, budget, not going over, not going above, not over, not above, not more than, max, maximum, under, up to, zahle, zahlt, betaal, betaalt, paie, paye, pago, paga, pagamos, presupuesto
  `),
  /** "Ring me", "give us a shout": the one who asks wants to hear from the others. */
  contact: splitWords(`
    price please, price pls, pm price, send price, your best price, ring me, call me, ping me, text me, message me, msg me, dm me, pm me, tell me, buzz me, whatsapp me, contact me, let me know, let us know, drop me, drop us, give me a shout, give me a call, give me a ring, give us a shout, shoot me, hit me up, show me,
    send me, send us, send offers, send your offers, propose me, propose yours, send pic, send pics, send picture, send pictures, send photo, send photos, write me, write to me, write us, reach out, shout, melden, meldet, meldet euch, melde dich, gebt bescheid, bescheid, laat het weten, laat me weten, fatemi sapere, fammi sapere, chiamatemi, avisadme, avisame, avisen,
    decidme, dites moi, appelez moi, contactez moi, faites moi signe, me contacter, m'envoyer, schreibt mir, ruft mich
  `),
  /** What is said about prices and the market. */
  value: splitWords(`
    price, prices, priced, pricing, worth, value, values, market, retail, msrp, rrp, premium, discount, percent, auction, estimate, fair, preis, preise, wert, markt, prijs, prijzen, waarde,
    valeur, marche, prezzo, prezzi, valore, mercato, precio, precios, valor, mercado
  `),
  /** Questions about facts. */
  question: splitWords(`
    what, whats, why, how, when, which, where, whether, warum, wieso, wann, welche, welcher, waarom, wanneer, welke, pourquoi, comment, quand, quel, quelle, combien, perche,
    quando, quale, quanto, como, cuando, cual, cuanto
  `),
  /** What was. */
  past: splitWords(`
    saw, sold, went, bought, was, were, did, dropped, paid, returned, told, sent, came, arrived, listed, wore, lost, ended, closed, traded, made, took, gave, handled,
    verkauft, gekauft, gesehen, war, verkocht, gekocht, gezien, vendu, achete, vu, etait, venduto, comprato, visto, era, vendido, comprado, fue
  `),
  /** Opinions, tests, repairs and jokes. */
  opinion: splitWords(`
    think, thinks, prefer, better, worse, worst, ugly, beautiful, fake, real, legit, genuine, authentic, service, serviced, servicing, polish, repair, warranty, strap,
    straps, crystal, movement, tag, tags, link, links, buckle, clasp, opinion, opinions, thoughts, experience, idea, know if, knows, contact, number, problem with, a problem,
    problems, feedback, reference, references, ad, boutique, waitlist, discontinued, movie, video, article, podcast, size, fits, lume, patchy, caseback, tool, complaining, complains, complaint, revisione, revision, orologiaio, uhrmacher, horloger, relojero, watchmaker, erfahrung, erfahrungen, probleme, gangverhalten, weiss, ervaring, esperienza, experiencia, true, rumour, rumor, news, says, say, money back, refund, dealt, dealt with, police, stolen, deposit
  `),
  /** Words of an offer. */
  offer: splitWords(`
    sell, selling, sale, available, interested, interest, takers, taker, anyone want, anyone wants, who wants, you want, offers, stock, shipped, ship, firm, obo, net, verkaufe, biete, vends, vendo, interesse,
    interessiert, interessato, interesado, i have, i've got, we have, i got
  `),
} as const;

/** A number right behind one of these is that of a place, a payment, a parcel or a journey. */
export const NUMBERED_PLACES: ReadonlySet<string> = new Set(
  splitWords(`
    suite, room, floor, apt, apartment, flat, booth, hall, gate, seat, flight, terminal, ice, zug, wagen, platz, gleis, tracking, awb, waybill, invoice, inv, acct, iban,
    swift, bic, routing, paynow, uen, fps, zip, zipcode, postcode, confirmation, booking, account, reservation, ticket, passport, pin, otp, password,
    passcode, plate, kenteken, kennzeichen, extension, ext, fax, rechnung, konto, zimmer, kamer, factuur, chambre, facture, stanza, fattura,
    habitacion, factura, locker, pobox, bus, train, track, platform, level, lane, table, door, house, building, serial
  `),
);

/** In a line that says nothing else about a watch, its numbers are not references. */
const OTHER_NUMBER_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    parcel, package, ups, dhl, usps, account, bank, zelle, wire, postal, po, address, street, ave, avenue, blvd, boulevard, road, rd, hotel, tel, phone,
    mobile, whatsapp, vat, hs, eori, strasse, straat, rue, via, calle, unit, safe, storage, order, orders, meeting, meet, airport, code, number,
    nights, am, uhr, clock, score, km, miles
  `),
);

export const NUMBER_WORDS: ReadonlySet<string> = new Set([
  ...OTHER_NUMBER_WORDS,
  ...NUMBERED_PLACES,
]);

/** Words behind a brand that name no model. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    list, stock, watch, watches, available, price, prices, offer, offers, sale, sales, deal, deals, group, dealer, dealers, boutique, store, shop,
    only, for, and, or, with, service, serviced, warranty, card, box, papers, ref, reference, collection, specials, special, update, inventory, piece,
    pieces, models, model, brand, brands, market, in, from, by, size, mm, no, please, pls, order, quote, today, now, hot, listing, lot, strap, straps,
    bracelet, dial, clasp, buckle, parts, part, link, links, pen, wallet, cap, hat, mens, ladies, men, lady, unisex, automatic, quartz, chronometer,
    boxes, paper, vintage, original, genuine, authentic, swiss, made, steel, gold, fan, fans, lovers, ad, ads, event, ceo, news, museum, factory
  `),
);
