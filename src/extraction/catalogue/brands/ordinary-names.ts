/**
 * Names of houses that are also ordinary words or names of other goods, and houses of everyday watches. They count only in a text
 * that says that it is about a watch, and that no other name explains. A spelling that is the name itself is not repeated.
 */
import type { BrandAddition } from "../brand.ts";

const NAMES = `
  Gevril; GV2: gv2, gv2 by gevril; Gucci; Dior: dior, christian dior; Chanel; Burberry; Sonata; Titan; Fastrack; Fossil; Versace: versace, versus versace
  Alpina; Glycine; Michael Kors: michael kors, mk; Guess; GC: gc, guess collection; DKNY; Diesel; Armani: armani, emporio armani, giorgio armani, armani exchange, ax
  Hugo Boss: hugo boss, boss; Calvin Klein: calvin klein, ck; Tommy Hilfiger; Lacoste; Swatch; Skagen; MVMT; Citizen; Orient; Orient Star; Pulsar
  Victorinox: victorinox, victorinox swiss army, swiss army; Luminox; Nixon; Suunto; Stührling: stuhrling, stuhrling original; Akribos: akribos, akribos xxiv; Parnis
  Pagani Design: pagani design, pagani; Cadisen; San Martin; Steeldive; Addiesdive: addiesdive, addies dive; Sea-Gull: sea gull, seagull; Shanghai; Fiyta; Concord
  Hamilton; Eterna; Sinn; Wempe; Zodiac; Zelos; Fears; Baltic; Yema; Lip; Serica; March LA.B: march lab, march la b; Monta; Weiss; Islander: islander, island watch
  Spinnaker; AVI-8: avi 8, avi8; Nodus; NTH; Raven; Ming; Mondaine; Wenger; Swiss Military: swiss military, swiss military hanowa, hanowa; Roamer; Gruen; Elgin
  Waltham; Hampden; Croton; Technos; HMT; Pobeda; Slava; Sturmanskie: sturmanskie, shturmanskie; Luch; Strela; Molnija: molnija, molnia; Ball: ball, ball watch
  Carl F. Bucherer: bucherer; Charriol: charriol, philippe charriol; Philip Stein; TechnoMarine: technomarine; U-Boat: u boat, uboat; Welder; Ferragamo: ferragamo, salvatore ferragamo
  Fendi; Roberto Cavalli: roberto cavalli, just cavalli, cavalli; Missoni; Philipp Plein: philipp plein, plein sport; Graff; Chaumet; Boucheron; Van Cleef & Arpels: van cleef, van cleef arpels, van cleef & arpels
  Tiffany & Co.: tiffany, tiffany & co; David Yurman; Louis Vuitton; Hermès: hermes; Dunhill: dunhill, alfred dunhill; Ralph Lauren; Swarovski; Lotus; Jaguar; Candino; Police; Nautica
  Marc Jacobs; Kate Spade; Coach; Tory Burch; Juicy Couture; Betsey Johnson; Adidas; Puma; Casio: baby g, edifice, pro trek, lineage; Tokyoflash: tokyoflash, tokyo flash
  Joshua & Sons; August Steiner; Burgmeister; Ingersoll; Rotary; Accurist; Sekonda; Smiths: smiths, smiths de luxe; Lanco; Cyma; Tressa; Sandoz; Ricoh; Alba; Q&Q: q&q, q & q
  Ernest Borel; Ogival; Rossini; Ebohr; Swiss Navy; Alexandre Christie: alexandre christie, ac; Expedition; Paul Picot; Fabergé: faberge; Franck Dubarry; Allemano
  Agnès b.: agnes b; Tandorio; Corgeut; Geneva; Anonimo; Giuliano Mazzuoli; Meccaniche Veloci; Brera: brera, brera orologi; Hamtun; Boldr; RZE; Vaer; Marathon; Praesidus; CWC; Vertex
  Straton; Brew; Autodromo; Undone; Mr Jones: mr jones, mr. jones; Maen; Vario; Helm; Deep Blue; Armida; Borealis; Helson; Ocean7; Benarus; Aquadive; Crepas; Orion; Astor & Banks: astor banks, astor & banks
  Tsao Baltimore: tsao, tsao baltimore; MK II: mk ii, mkii; Tornek-Rayville: tornek, tornek rayville; Hemel; Elliot Brown; Garrick; Pinion; Schofield; Defakto; Botta: botta, botta design; Lilienthal
  Porsche Design; Angelus; Rodolphe; Saint Honoré: saint honore; Dubey & Schaldenbrand: dubey schaldenbrand, dubey & schaldenbrand; Azimuth; Graham; Quinting; Backes & Strauss: backes strauss, backes & strauss
  Ritmo Mundo; Michele; Jovial; Delma; Airain; Triton; ZRC; Rivado; Jules Jurgensen; Lucien Piccard; Akoya; Peugeot; Anne Klein; Nine West; Armitron; Relic; Caravelle: caravelle, caravelle by bulova
  Vincero; Filippo Loreti; Original Grain; Tayroc; Brathwait; Nordgreen; Obaku; Bering; Danish Design; Jacob Jensen; Georg Jensen; Ole Mathiesen; Sjöö Sandström: sjoo sandstrom; Maurice de Mauriac
  Hegid; Depancel; Laventure; Behrens; Agelocer; CIGA Design: ciga, ciga design; Phylida; Heimdallr; Proxima; Octopus Kraken; Cronos; IXDAO: ixdao, ipose; Thorn; Militado; Merkur; Escapement Time
  Sugess; Starking; Benyar; Megir; Curren; Naviforce; Skmei; Guanqin; Carnival; Bestdon; Forsining; Reef Tiger; Oblvlo; Megalith; Lige; Loreo; Tevise; Ochstin; Weide; Smael; Sinobi; Kimio
  Bosck; Chenxi; Olevs; Poedagar; Binbond; Hannah Martin; Blue Pearl; Maxima; Xylys; Zoop; Helix; Daniel Klein; Roger Duvira; Givenchy; Yves Saint Laurent: yves saint laurent, ysl; Celine
  Nina Ricci; Balmain: balmain, pierre balmain; Cerruti: cerruti, cerruti 1881; Pierre Cardin; Moeris; Buren; Election; Zentra; Dugena; Bifora; Anker; Ruhla; GUB: gub, glashutte gub; Prim; Stadion
  Dan Henry; Raketa; Vostok; Poljot; Buran; Zarya; Chaika; Zim: zim; Cornavin; Amphibia; Lorier; Halios; Traska; Venezianico; Second Hour; Jack Mason; Shinola; Filson; Timex; Bulova; Citizen: promaster, eco drive citizen
  Aragon; Android; Bertucci; Freestyle; Momentum; Reactor; Isobrite; Szanto; Orient: orient bambino, orient mako, orient kamasu, orient ray; Laco; Stowa; Aristo; Hacher; Messerschmitt; Zeppelin; Junkers; Iron Annie
  Bruno Söhnle: bruno sohnle; Boccia; Jacques Lemans; Regent; Roebelin & Graef; Pallas; Arctos; Osco; Timor; Vulcain; Buler; Camy; Desotos; Dreffa; Felca; Helbros; Invicta; Jaz; Kelton; Kolber; Lucerne; Majex
  Mathey-Tissot: mathey tissot; Medana; Nelson; Ollech & Wajs: ollech wajs, ollech & wajs, ow; Oriosa; Oris; Paul Peugeot; Pierce; Pontiac; Precimax; Provita; Rensie; Sicura; Silvana; Solvil; Tavannes: tavannes
  Thermidor; Tourneau; Tudor; Viceroy; Marea; Sector; Breil; Morellato; Philip Watch; Lorenz; Perseo; Zannetti; Unimatic; Echo Neutra; Locman; Liu Jo; Ops Objects; Trussardi; Maserati; Ducati; Ferrari: scuderia ferrari
  Radiant; Calypso; Mark Maddox; Nowley; Technos; Orient; Mondaine; Chilli Beans; Seculus; X-Games; Speedo; Mormaii; Allora; Dumont
  Appella; Romanson; Adriatica; Timberland; Esprit; Cluse; Rosefield; Oozoo; Prisma; Zinzi; Olympic; Pontiac; Kronaby; Withings; Garmin; Fitbit; Amazfit; Ebel; Titoni; Milus; Rivoli; Certus; Yonger; Clyda; Pierre Lannier
  Ice-Watch: ice watch; Dodane; Auricoste; Matwatches: matwatches; Ralf Tech; Wolbrook; Nivada: nivada; Croton; Aquastar; Doxa; Squale; Zeno; Zeno-Watch: zeno watch; Xetum; Xezo; Wryst; Wancher; Kuoe; Kurono; Knot; Minase; Hajime Asaoka; Naoya Hida
  Dietrich; Linde Werdelin; Magrette; Bausele; Erroyl; Adina; Nomadic; Arcturus; Studio Underd0g: studio underdog, studio underd0g; Beaucroft; Clemence; Isotope; Marloe; Paulin; anOrdain: anordain; Olivier Meynadier; Omologato
  Redwood; Havaan Tuvali; Furlan; Vieren; Aquatico; Audric; Bangalore; Bangalore Watch; Ajwain; Jaipur; Delhi Watch; Argos; Arpiem; Zelos Helmsman; Heron; Hemsut; Direnzo; Formex; Foibos; Gavox; Gruppo Gamma; Hz Watches; Henry Archer
  Kiger; Kaventsmann; Lum-Tec: lum tec, lumtec; Melchior; MWW; Obris Morgan; Pantor; Phoibos; Promaster; Rado; Scurfa; Synchron; Tisell; Tempest; Torgoen; Tusenö: tuseno; Von Doren
  WMT; WT Author; Xicorr; Zaeger; Zixen
`;

/** "Dior: dior, christian dior". A house can be named in several places. */
export const ordinaryNames: readonly BrandAddition[] = NAMES.split(/[;\n]/)
  .map((entry) => entry.trim())
  .filter((entry) => entry !== "")
  .map((entry) => {
    const [name = "", spellings = name.toLowerCase()] = entry.split(":").map((side) => side.trim());
    return { name, ordinary: spellings.split(",").map((word) => word.trim()) };
  });
