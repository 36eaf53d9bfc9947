import { splitWords } from "./word-list.ts";

/** "Trying to locate a 1675", "I was told to find one". */
const FINDING = "trying told asked tasked hoping hope desperate keen eager want wants like"
  .split(" ")
  .flatMap((verb) =>
    ["find", "locate", "source", "track down", "acquire"].map((end) => `${verb} to ${end}`),
  );

/** "I would be interested to purchase a 5935A". Sellers write "if you are interested to buy". */
const BUYING = ["i am", "i'm", "im", "we are", "we're", "would be"].flatMap((start) =>
  ["to buy", "to purchase", "in buying", "in purchasing", "in acquiring"].map(
    (end) => `${start} interested ${end}`,
  ),
);

/** Words that ask for a watch. */
export const WANTED_WORDS: readonly string[] = [
  ...FINDING,
  ...BUYING,
  ...splitWords(`
    wtb, w.t.b, budget ready for, budget ready, cash ready for, wtt, ltb, ntb, ntq, n.t.q, nqt, lf, l.f, iso, in search of, want to buy, wanna buy, wants to buy,
    looking to buy, buying, we buy, i buy, looking for, lookingfor, looking 4, look for, still looking,
    need to quote, need to buy, need quote, need price, who has, who have, who got, anyone have, anyone has,
    anyone got, any one have, anybody have, anybody has, does anyone have, do you have, sold order, sold orders,
    soldorder, confirm order, confirmed order, confirm orders, order confirmed, order confirm, confirm sold order,
    hard call, strong call, medium call, soft call, paying, will pay, in need of, searching for, searching,
    im looking for, client looking for, customer order, client order, 求, 求购, 求購, 需要, 想买, 想買, cerco,
    cerchiamo, cercasi, suche, suchen, gesucht, ich suche, wir suchen, ankauf, recherche, je cherche, cherche,
    busco, buscamos, se busca, compro, gezocht, op zoek naar, zoek, zoeken, achete, j'achete, nous achetons, koop gezocht,
    куплю, ищу, нужен, нужна, нужны, приму, sold oder, sold odrer, sold ordr, sold oreder, sould order, sold orde, soldoder, sol order,
    confirm oder, confirmed oder, comfirm order, wlf, who is holding, who holding, who holds, anyone holding, anybody holding, anyone selling,
    anybody selling, anyone with, anybody with, who's got, whos got, who is selling, who selling, who can offer, who can supply, anyone can offer,
    any dealer has, any leads on, looking to source, sourcing, trying to source, want to purchase, looking to purchase, pls quote, please quote, quote pls, quote please, price me a, price me one, looking to place an order, looking to spend, need to cover a short, need to cover an order, shopping list for, my shopping list, requirement from, my requirement, our requirement, request is still open, request still open, open request, whoever brings me, whoever finds me, whoever gets me, someone deliver, a chi avanza, chi avanza, chi vende un, chi vende una, chi mi vende, top dollar for, top money for, top cash for, who sells?, who sells me, money is on the table:, money on the table:,
    sold orer, to be had, i'm a buyer, im a buyer, buyer here, i am a buyer, i'm buyer, money is ready, money ready, cash is ready, cash in hand for, cash sitting in, got cash for, have cash for, would part with, who would part with,
    kann mir jemand, kann jemand, jemand anbieten, help me out with, needs for, long shot list, money in the bank, sell me, ich brauche, ich brauchte, brauche dringend, was habt ihr, me urge, necesito, que teneis, 急需, come across a, come across one, you come across, still after, do we have any, potrzebuje, urgent buys, urgent buy,
    urgent urgent, cash in the bag, any one selling, any one have, any one with, can anyone source, anyone source, what you got, what do you have, best price for, how much for, does someone have, do someone have, someone have a, someone has a, is asking me for, asking me for, i need a, i need an, i need one, i need two, i could use, could use another, back in the market for,
    i take any, take any, hit me up with, send me your best, client wants to buy, customer wants to buy, wer hat, hat jemand, hat wer, wie heeft, heeft iemand, iemand een, qualcuno ha, chi ha un, chi ha una, chi ce l'ha, quelqu'un a,
    quelqu'un aurait, qui aurait, qui a une, alguien tiene, quien tiene, alguem tem, kunde zahlt, cliente pronto, 有没有, 有沒有, 有冇, who can ship, customer waiting, client waiting, customer is waiting, kto ma, есть у кого,
    у кого есть, can anyone help me with, help me find, help find, help to find, have to find, need to find, would love to find, love to find, been chasing, chasing a, chasing one, i'll pay, ill pay, i will pay,
    would pay, we pay, i pay, zahle, zahlen wir, pago, pagamos, betaal, je paie, my client wants, client wants, client want, customer wants, customer want, my client needs, client needs, buyer for, have a buyer for,
    have buyer for, i have a client for, have a client for, client for a, mein kunde sucht, kunde sucht, sucht dringend, sucht eine, klant zoekt, cliente cerca, mi servirebbe, mi serve, mi serve un, client qui veut, client cherche,
    tengo comprador, tengo cliente, cliente busca, real buyer, buyer waiting, cash buyer, 有冇人有, 有没有人有, 邊個有, 谁有, 誰有, 客人要, 客要, ariyorum, arıyorum, think of me, fill this for me, could someone do, can anyone do, can someone do,
    anyone can do, surely one of you has, hunting for, on the hunt for, on the lookout for, keep an eye out for, wish list, my wishlist, procuro, quero comprar, quiero comprar, deseo comprar, vorrei comprare, vorrei acquistare, voglio comprare, voudrais acheter, souhaite acheter, mochte kaufen, wil kopen, wil graag kopen, хочу купить, compro, szukam, kupie, procurando, please offer, pls offer, quote me, offer me, send me offers, in the market for, wtp,
    i still need a, i still need an, i still need one, i still need two, we still need a, we still need an, we still need one, need another one, need another, want another one, got a buyer, got buyer for, got a client for,
    got a customer for, got a client waiting, have a buyer here, have a buyer in, have a buyer waiting, buyer sitting, client sitting, customer sitting, buyer standing, client standing, whoever has it, whoever has one, whoever has a,
    if someone has one, if anyone has one, if anybody has one, if somebody has one, if someone has it, if anyone has it, falls jemand eine hat, wenn jemand eine hat, als iemand er een heeft, si quelqu'un en a une, se qualcuno ce l'ha, si alguien tiene una,
    who's holding, whos holding, one of you have a, one of you has a, any of you have a, any of you has a, one of you have one, one of you has one, any of you have one, any of you has one, does one of you have, happy to pay, ready to pay, willing to pay,
    prepared to pay, we would buy, we'd buy, still short one, i am short of, i'm short of, been after a, if you know of a, if you know of one,
    is after a, is after an, are after a, i'm after a, i am after a, we're after a, we are after a, been asked for a, been asked for an, asked me for a, asked us for a,
    who else has, what's out there, whats out there, i need another one, i need another, we need another one, we need another, short one, i'm short a, 想要, 客人想要, looking to replace, put me down for, je suis preneur, preneur d'une, preneur d'un, sono compratore, be a buyer of, buyer of a, buyer of any, who can help with, who can help me with, one of you source, anyone able to source, can you source, could you source, if you come across a, if you come across an, if you come across one,
    if you see a, if you spot a, i'd like to buy, id like to buy, i would like to buy, we would like to buy, we'd like to buy, send me what you have, show me what you have, what have you got,
    buyer is paying, buyer pays, client pays, customer pays, he pays up to, ready to wire for,
    i'd take one, i'd take two, i'd take three, i'd take 2, i'd take 3, i'd take any, i'd take another, id take one, id take two, i would take one, i would take two, i would take any, i'll take two, i'll take three, i'll take any, ill take two, ill take any
  `),
];

/** They ask for a watch only at the start of a line. */
export const WEAK_WANTED_WORDS: readonly string[] = splitWords(`
    client for, customer for, buyer for, best price, need, needed, wanted, required, buy, to buy, 收, 找, needs, need:, i need, we need, want, i want, looking, urgent need, please i need, please need,
    bid, bidding, my bid, firm bid, also need, still need, could use a, could use an
  `);

/** Phrases with "need", "want" or "looking" that do not ask for a watch: "need HK export" is a term of the sale. */
export const NOT_A_REQUEST: readonly string[] = splitWords(`
    need hk export, need export, needs export, need hk to export, need to export, need invoice, need prepayment,
    need deposit, need reconfirm, need to reconfirm, need confirm, need to sell, needs to sell, need gone,
    needs gone, needs to go, need to go, need to move, must sell, want to sell, want to move, wants to sell,
    looking to sell, looking to move, looking to trade, looking good, looking great, looking fantastic,
    looking amazing, if needed, service needed, polish needed, no polish needed, no service needed, not needed, nothing needed, pm if needed, as needed, if you need, need more, need anything, needs service,
    need service, needs servicing, needs no introduction, needs a service, no need, need a few days, need 2 days,
    need 1 day, need 3 days, need days, need time, who wants, if you want, if anyone wants, if wanted,
    if anyone looking for, if anyone is looking for, if anyone still looking for, if anyone is still looking for, if you are looking for, if you're looking for, if youre looking for,
    anyone looking for, anybody looking for, anyone still looking for, who is looking for, for anyone looking for, for those looking for, no deposit required, service required, not required, required service,
    if anyone needs, if anyone needs one, need everything gone, need this gone, need this sold, need it sold, need these sold, wanted to keep, wanted to hold, looking to place, without paying, after paying, dealer who got, dealers who got, want one got one, want one? got one, need space, need the space, need room, who takes the, who takes this, who takes it, hat jemand kundschaft, wer hat kundschaft, hat jemand kunden, hat jemand einen kunden, wer hat einen kunden, who was looking for, if you are chasing, if you're chasing, if youre chasing, if you are hunting, if you're hunting, if you are after, if you're after, if you are searching, if you're searching, stop chasing, stop looking, stop searching, need these gone, need it gone, need them gone, looking for best offers, looking for offers above, best price ever, best price in, best price on, need to, need to raise, need to raise cash, he wanted, she wanted, client wanted, customer wanted, who wanted, they wanted, i wanted, always wanted, so gesucht, customer wants to, client wants to, wants to let go,
    looking at, if i buy, when i buy, signature needed, number needed, vat number needed, license needed, proof needed, 有冇人識, hat jemand erfahrung, hat jemand probleme, heeft iemand ervaring, heeft iemand ooit, heeft iemand problemen, qualcuno ha esperienza, quelqu'un a deja, hat jemand schon, send us your,
    anyone has a contact, anyone have a contact, anyone has experience, anyone have experience, anyone has the number, anyone have the number, anyone has an idea, who has a contact, anyone has any, anyone have any,
    looking forward, watch looks, not looking, good looking, nice looking, looking for offers, looking for an offer, looking for best offer,
    looking for a buyer, looking for buyers, looking for a new home, looking for a new owner, looking for a quick sale, looking for quick sale,
    looking for a trade, looking for trade, looking for trades, looking for serious buyers, looking for cash, want offers, need offers,
    need cash, need funds, need money, buy now, buy it now, buy with confidence, buy back, buy from us, buyer wanted, wanted by, most wanted,
    much wanted, highly wanted, to wanted, not wanted, anyone wanted, the most wanted, always wanted, have wanted, need to know, want to know, wanted to know, wanted to ask,
    need advice, need help, need an opinion, buy sell, buy/sell, buy and sell, buying and selling,
    was trying to find, were trying to find, was trying to source, want to find out, trying to find out, hoping to find out, trying to find a buyer, trying to find a home, trying to find a watchmaker,
    come across a problem, come across a scam, come across a fake, who can help with shipping, who can help with a service, who can help with a payment, what have you got planned,
    nobody is buying, nobody buying, nobody buys, no one is buying, no one buying, stopped buying, stop buying, was buying, were buying, not buying, people are buying, who's buying, whos buying, who is buying, anyone buying, anybody buying,
    nobody is paying, nobody paying, no one is paying, was paying, were paying, stopped paying, buyer for my, got a buyer for my, have a buyer for my, found a buyer, found a buyer for, need a buyer, need a buyer for, no buyer for, no buyers for, sold my, sold mine, before selling, after selling, regret selling, instead of selling,
    client needs cash, my client needs cash, client needs money, client needs funds, client needs the money, customer needs cash, need another hobby, need another drink, need another job, need another holiday, need another coffee, need another day,
    paying customers, paying customer, paying clients, paying client, nobody is willing to pay, nobody willing to pay, no one is willing to pay, no one willing to pay, not willing to pay, was willing to pay, were willing to pay, people are willing to pay,
    any of you have a contact, any of you have a good, any of you has a contact, any of you have a problem, could use a service, could use a clean, could use a new, could use a strap,
    i need a drink, i need a coffee, i need a beer, i need a break, i need a holiday, i need a vacation, i need a favour, i need a favor, i need a hand, i need a ride, i need a broker, i need a lawyer, i need a watchmaker,
    anyone have references, anyone has references, anybody have references, anyone have a reference for, anyone have feedback, anyone has feedback, anyone have a broker, anyone has a broker, anyone have a good, anyone has a good, who has references, who has experience, who has feedback
  `);

export const FOR_SALE_WORDS: readonly string[] = splitWords(`
    wts, w.t.s, for sale, forsale, fsot, selling, special offer, ready stock, zu verkaufen, verkaufe, biete,
    open to sell, open to selling, продам, продаю, продается, продаётся, te koop, a vendre, je vends, vends, vendo, vendesi, in vendita, se vende, en venta, can i tempt, can i tempt anyone with, can i tempt anyone, can i tempt someone with, can i tempt you with, could i tempt, could i tempt anyone with, tempt anyone with, can i interest, can i interest anyone in, could i interest anyone in,
    any takers for, any taker for, hat wer lust, hat jemand lust, wer hat lust, hat wer interesse, hat jemand interesse, wer hat interesse, jemand interesse, heeft iemand interesse, heeft iemand zin, wie heeft interesse, qualcuno interessato,
    a qualcuno interessa, interessa a qualcuno, alguien interesado, a alguien le interesa, alguien quiere, quelqu'un interesse, interesse quelqu'un, 出售, 现货, 現貨
  `);

/** Requests use these words too ("who has one available"), so they do not decide the side. */
export const WEAK_FOR_SALE_WORDS: readonly string[] = splitWords(`
    available, in stock, instock, incoming, preorder, pre order, asking, sell, not sold, not sold yet, not yet sold, isn't sold,
    nicht verkauft, noch nicht verkauft, niet verkocht, nog niet verkocht, pas vendu, pas encore vendu, non venduto, no vendido, 未售
  `);

export const SOLD_WORDS: readonly string[] = splitWords(`
    sold, sold out, gone gone, its gone, now gone, already gone, verkauft, verkocht, vendu, venduto, vendido, 已售, 售出, 已出, sold sold, sale pending sold
  `);

export const ON_HOLD_WORDS: readonly string[] = splitWords(`
    on hold, onhold, reserved, hold for, sale pending, pending, reserviert, gereserveerd, reserve, riservato,
    reservado, 保留, 已订, 已訂
  `);
