import { splitWords } from "./word-list.ts";

/** Words and phrases that speak for a request in a sentence, or against one. See `details/sentence-requests.ts`. */
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
