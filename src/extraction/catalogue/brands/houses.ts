/**
 * Watch houses that dealers trade rarely: names and spellings, models where a word surely means one, and what their
 * references look like (`parseBrandLines` has the notation).
 *
 * A name that is also an ordinary word (Ball, Sinn, Citizen) has spellings of several words only, because a spelling alone
 * makes a text a candidate for a watch. A shape of digits only needs the house beside it, because others have such numbers too.
 */
import { parseBrandLines } from "../brand.ts";

const EUROPEAN_HOUSES = `
  Aaron Becsei: aaron becsei, bexei
  Akrivia
  Alexander Shorokhoff: alexander shorokhoff, shorokhoff
  Alpina: alpina watch, alpina geneve; Startimer = alpina startimer; Seastrong = alpina seastrong; Alpiner = alpina alpiner
  Amida: amida watch, amida digitrend
  Andersen Genève: andersen geneve, svend andersen
  Andreas Strehler: andreas strehler, strehler
  Angelus: angelus watch, angelus watches, angelus chronodate, angelus chronodato
  Anoma
  Anonimo: anonimo watch, anonimo militare, anonimo nautilo
  Antoine Preziuso: antoine preziuso, preziuso
  Aquastar
  Archimede
  Arken: arken instrumentum, arken alterum
  Armin Strom: armin strom, arminstrom; Mirrored Force Resonance = mirrored force resonance; Gravity Equal Force = gravity equal force
  Arnold & Son: arnold & son, arnold and son, arnold son; Globetrotter = arnold & son globetrotter
  ArtyA
  Atelier de Chronométrie: atelier de chronometrie
  Atelier Wen; Perception = atelier wen perception
  Auffret: theo auffret, auffret paris
  Badollet
  Baltic: baltic watch, baltic watches; Aquascaphe = aquascaphe; Bicompax = baltic bicompax; Hermétique = baltic hermetique
  Baume & Mercier: baume & mercier, baume et mercier, baume and mercier, baume mercier; own shape = M(O|0)A#####; shape = (10|65)###; Clifton = baume clifton, clifton baumatic
  Beat Haldimann: haldimann, beat haldimann
  Beaubleu
  Bernhard Lederer: bernhard lederer; Central Impulse Chronometer = central impulse chronometer
  Berneron; Mirage = berneron mirage
  Biver: biver, biver watches, jc biver
  Bomberg
  Boucheron: boucheron watch, boucheron reflet
  Bovet: bovet, bovet 1822
  Bremont: bremont, bremond; Supermarine = supermarine, bremont supermarine; MB = bremont mb, bremont mbii, martin baker; GMT = bremont gmt, bremont alt1
  Briston
  Bruno Söhnle: bruno sohnle, bruno soehnle
  Cabestan: cabestan watch, cabestan winch
  Carl F. Bucherer: carl f bucherer, carl f. bucherer; Patravi = patravi; Manero = manero flyback, bucherer manero
  Carl Suchy: carl suchy, carl suchy & sohne
  Charles Frodsham: charles frodsham, frodsham
  Charlie Paris
  Chaumet: chaumet watch, chaumet dandy
  Christiaan van der Klaauw: christiaan van der klaauw, van der klaauw
  Christophe Claret
  Christopher Ward: christopher ward, c. ward; Bel Canto = bel canto; The Twelve = christopher ward twelve
  Chronoswiss
  Claude Meylan
  Corum; shape = (0|1|2|3|6|7|8|9)##.###.##[/?{4,12}]; shape = @###/#####[-?{3,9}]; Admiral = admirals cup, admiral's cup, corum admiral; Bubble = corum bubble; Golden Bridge = corum golden bridge
  Certina; own shape = C###.###.##.###.##; shape = C###.###[.##[.###]]; DS = certina ds, certina ds action, certina ds ph200m, certina ds podium
  Chanel: chanel watch, chanel watches; shape = H####; J12 = chanel j12; Première = chanel premiere
  Concord: concord watch, concord c1, concord mariner, concord saratoga
  Cuervo y Sobrinos
  CVSTOS
  Cyma: cyma watch, cyma watersport, cyma wwii
  Cyrus: cyrus watch, cyrus klepcys
  Damasko
  Daniel Roth
  Daniel Wellington
  David Candaux: david candaux, candaux
  Davosa; Ternos = davosa ternos
  Delma: delma watch, delma blue shark
  Dennison: dennison watch, dennison watches
  DeWitt: dewitt, de witt academia
  Dior: dior watch, dior viii, dior grand bal
  Dornblüth: dornbluth, dornblueth, d. dornbluth & sohn
  Doxa: doxa; Sub 300 = doxa sub, doxa sub 300
  Ebel: ebel, ebel 1911, ebel sport classic; shape = (12|90|91)#####; shape = (1|6|8|9)###@##[@]
  Eberhard: eberhard, eberhard & co, eberhard and co; Chrono 4 = eberhard chrono 4
  Echo Neutra: echo neutra, echo/neutra
  Edox
  Enicar: enicar, enicar sherpa
  Ernst Benz
  Eterna: eterna watch, eterna matic, eterna-matic, eterna kontiki, eterna vaughan; shape = ####.##.##[.####]; KonTiki = eterna kontiki, kontiki
  Excelsior Park
  F. Berthoud: ferdinand berthoud
  Farer
  Favre-Leuba: favre leuba, favre-leuba
  Fears: fears watch, fears brunswick, fears redcliff
  Felipe Pikullik: felipe pikullik, pikullik
  Festina
  Formex: formex; Essence = formex essence
  Fortis: fortis, fortis watch; Flieger = fortis flieger; Stratoliner = fortis stratoliner
  Franc Vila
  Frederique Constant: frederique constant, frédérique constant; own shape = FC[-]###@{1,5}#[@#]; shape = FC[-]###; Highlife = frederique constant highlife
  Furlan Marri: furlan marri, furlanmarri
  Gagà Milano: gaga milano
  Gallet: gallet multichron, gallet chronograph, gallet clamshell, gallet flying officer, gallet watch
  Garrick: garrick watch, garrick watches
  Genus: genus watches, genus grs
  George Daniels
  Gerald Charles: gerald charles; Maestro = gerald charles maestro
  Graff: graff watch, graff diamonds watch
  Gucci: gucci watch, gucci dive, gucci 25h
  Gérald Genta: gerald genta
  Glycine: glycine airman, glycine watch, glycine combat; shape = GL####
  Graham: graham watch, graham london; Chronofighter = chronofighter
  Greubel Forsey: greubel forsey, greubel; Double Balancier = double balancier; Balancier Convexe = balancier convexe
  Grönefeld: gronefeld, groenefeld; 1941 Remontoire = 1941 remontoire
  Gruen: gruen watch, gruen curvex
  Guinand
  Guy Ellia
  Habring²: habring, habring2, habring 2
  Hanhart
  Harry Winston: harry winston, harrywinston; Project Z = project z; Opus = harry winston opus
  Haute-Rive: haute rive honoris, haute-rive honoris
  Hautlence
  Hermès: hermes watch, hermes watches; shape = (AR|CC|HH|CA|NA|SL|BE|CL|KE)#.###[@]; H08 = hermes h08; Cape Cod = hermes cape cod; Arceau = hermes arceau; Heure H = hermes heure h
  Herbelin: michel herbelin, herbelin
  Herodia
  Hysek: hysek, jorg hysek
  HYT: hyt, hyt h0, hyt h1
  Ikepod
  Jaquet Droz: jaquet droz, jaquet-droz; Grande Seconde = grande seconde
  JeanRichard: jeanrichard, jean richard
  Junghans: junghans; own shape = 0##/####.##; shape = ##[#]/####[.##]; Max Bill = junghans max bill; Meister = junghans meister
  Junkers: junkers watch, junkers bauhaus
  Juvenia
  Kallinich Claeys: kallinich claeys, kallinich
  Kienzle
  Krayon: krayon anywhere, krayon everywhere, krayon watch
  Lemania
  Leonidas: leonidas chronograph, leonidas watch
  Locman
  Louis Charden
  Luca Soprana
  Maen: maen hudson, maen manhattan, maen watches
  Massena LAB: massena lab
  Nivrel
  Omikron: omikron watch
  Renaud Tixier
  Sartory Billard: sartory billard, sartory-billard
  Semper & Adhuc: semper & adhuc, semper adhuc
  Sicura
  Straum: straum watch, straum jan mayen
  Synchron: synchron military, synchron watch
  Van Cleef & Arpels: van cleef watch, van cleef & arpels watch; Midnight = van cleef midnight; Pont des Amoureux = pont des amoureux; Lady Arpels = lady arpels; Pierre Arpels = pierre arpels
  Voutilainen: voutilainen, kari voutilainen; Vingt-8 = vingt 8, vingt-8
  Kerbedanz
  Konstantin Chaykin: konstantin chaykin, chaykin; Joker = chaykin joker
  Kollokium
  Kross Studio
  Kudoke: kudoke; Kudoke 1 = kudoke 1; Kudoke 2 = kudoke 2; Kudoke 3 = kudoke 3
  Laco
  Lang & Heyne: lang & heyne, lang und heyne, lang and heyne
  Laurent Ferrier: laurent ferrier, laurentferrier; Galet = laurent ferrier galet; Sport Auto = laurent ferrier sport auto
  Linde Werdelin
  Lip: lip watch, lip nautic, lip nautic ski
  Louis Erard
  Louis Moinet
  Louis Vuitton: louis vuitton watch, louis vuitton watches; shape = Q#@##[#][@]; Tambour = louis vuitton tambour
  Ludovic Ballouard
  Lundis Bleus
  Manufacture Royale
  Marco Lang
  Mathey-Tissot: mathey tissot
  Maurice Lacroix; own shape = (AI|PT|LC|MP|EL|FA|SD)####-@@###[-###[-#]]; shape = (AI|PT|LC|MP|EL|FA|SD)####; Aikon = aikon, maurice lacroix aikon; Pontos = maurice lacroix pontos; Masterpiece = maurice lacroix masterpiece
  Mauron Musy
  MeisterSinger: meistersinger
  Mido; own shape = M###.###.##.###.##; shape = M###.###[.##]; shape = M####.#.##.#; Ocean Star = mido ocean star; Multifort = mido multifort
  Milus: milus, milus snow star
  Mondaine: mondaine watch, mondaine sbb
  Moritz Grossmann: moritz grossmann, moritz großmann, grossmann benu
  Movado; Museum = movado museum
  Mühle Glashütte: muhle glashutte, muehle glashuette, muhle glashuette
  Nivada Grenchen: nivada, nivada grenchen; Antarctic = nivada antarctic; Chronomaster = nivada chronomaster
  Norqain
  Ochs und Junior: ochs und junior, ochs & junior
  Ollech & Wajs: ollech & wajs, ollech wajs, ollech and wajs
  Oris: oris; shape = (400|645|733|735|743|748|751|754|761|771|774|781|910)~####[~####[~?{1,12}]]; Aquis = oris aquis, aquis date; Divers Sixty-Five = oris divers sixty five, divers sixty five; Big Crown = oris big crown; ProPilot = propilot, oris propilot
  Pascal Coyon
  Paul Gerber
  Pequignet
  Perrelet; Turbine = perrelet turbine
  Petermann Bédat: petermann bedat, petermann & bedat
  Philippe Dufour; Simplicity = dufour simplicity
  Pierre DeRoche: pierre deroche
  Pierre Kunz
  Poljot
  Porsche Design: porsche design watch, porsche design chronograph, porsche design 1919
  Purnell: cecil purnell, purnell escape
  Rado: rado; shape = R########; shape = ###.####.#.###; Captain Cook = rado captain cook; DiaStar = rado diastar
  Raketa
  Raúl Pagès: raul pages
  Raymond Weil: raymond weil, raymond weill; shape = ####-@{2,3}-?{4,5}; Freelancer = raymond weil freelancer; Millesime = raymond weil millesime
  Rémy Cools: remy cools
  Reservoir: reservoir watch, reservoir watches
  Ressence; Type 1 = ressence type 1; Type 3 = ressence type 3; Type 5 = ressence type 5
  Revue Thommen
  Rexhep Rexhepi: rexhep rexhepi, rexhepi; Chronomètre Contemporain = chronometre contemporain, rrcc
  Roamer: roamer watch, roamer stingray
  Roger W. Smith: roger w smith, roger w. smith, roger smith watch, roger smith series
  Romain Gauthier; Logical One = logical one; Insight Micro-Rotor = insight micro rotor
  Romain Jerome: romain jerome, rj romain jerome
  Sarpaneva: sarpaneva, stepan sarpaneva
  Schaumburg: schaumburg watch, schaumburg watches
  Schwarz Etienne: schwarz etienne, schwarz-etienne
  Serica: serica watch, serica watches, serica 5303, serica 6190
  Simon Brette; Chronomètre Artisans = chronometre artisans
  Singer Reimagined: singer reimagined, singer track 1
  Sinn: sinn watch, sinn uhr, sinn uhren, sinn spezialuhren; 103 = sinn 103; 104 = sinn 104; 105 = sinn 105; 140 = sinn 140; 142 = sinn 142; 144 = sinn 144; 156 = sinn 156; 203 = sinn 203; 206 = sinn 206; 240 = sinn 240; 244 = sinn 244; 256 = sinn 256; 356 = sinn 356; 358 = sinn 358; 456 = sinn 456; 556 = sinn 556; 613 = sinn 613; 656 = sinn 656; 756 = sinn 756; 757 = sinn 757; 836 = sinn 836; 856 = sinn 856; 857 = sinn 857; 900 = sinn 900; 903 = sinn 903; 910 = sinn 910; 917 = sinn 917; 936 = sinn 936; 1739 = sinn 1739; 1800 = sinn 1800; 6000 = sinn 6000; 6012 = sinn 6012; 6100 = sinn 6100; EZM = sinn ezm; T1 = sinn t1; T2 = sinn t2; T50 = sinn t50; U1 = sinn u1; U2 = sinn u2; U50 = sinn u50; UX = sinn ux
  Speake-Marin: speake marin, speakemarin; Piccadilly = speake marin piccadilly
  Squale
  Steinhart
  Sternglas
  Stowa
  Struthers: struthers watch, struthers watchmakers
  Studio Underd0g: studio underdog
  Swatch: swatch watch, swatch sistem51; own shape = SO##@###; own shape = SB##@###; MoonSwatch = moonswatch, moon swatch, omega x swatch, swatch x omega; Scuba Fifty Fathoms = blancpain x swatch, swatch x blancpain
  Sylvain Pinaud
  Thomas Prescher
  Tissot; own shape = T###.###.##.###.##; own shape = T##.#.###.##; shape = T###.###[.##]; PRX = tissot prx, prx powermatic; Seastar = tissot seastar
  Titoni
  Tourby
  Trilobe; Nuit Fantastique = nuit fantastique
  Tutima
  U-Boat: u-boat watch, uboat watch, u-boat italo fontana
  Unimatic: unimatic watch, unimatic modello
  Union Glashütte: union glashutte, union glashuette
  Universal Genève: universal geneve, universal genf; shape = (1|2|3|4|5|7|8)####[#][/#]; Polerouter = polerouter; Tri-Compax = tri compax, tri-compax, tricompax
  Urban Jürgensen: urban jurgensen, urban juergensen
  Venezianico
  Vertex: vertex m100, vertex watch
  Vianney Halter; Antiqua = vianney halter antiqua; Deep Space = vianney halter deep space
  Victorinox: victorinox watch, victorinox inox
  Vincent Calabrese
  Vulcain; Cricket = vulcain cricket
  Wakmann
  Wempe: wempe chronometerwerke, wempe iron walker
  Wyler: wyler geneve
  Yema: yema watch, yema superman, yema wristmaster
  Zannetti
  Zeitwinkel
  Zeppelin: zeppelin watch, zeppelin uhr, graf zeppelin watch
  Zodiac: zodiac watch, zodiac sea wolf, zodiac seawolf, zodiac super sea wolf; shape = ZO####
  ZRC: zrc watch, zrc grands fonds
`;

const OTHER_HOUSES = `
  Alba: alba watch, seiko alba
  Asaoka: hajime asaoka
  Autodromo: autodromo watch, autodromo group b
  Azimuth: azimuth watch, azimuth watches
  Ball: ball watch, ball watches, ball engineer, ball fireman, ball roadmaster, ball trainmaster
  Behrens: behrens watch, behrens original
  Benrus
  Boldr: boldr watch, boldr venture, boldr supply
  Brew: brew watch, brew metric
  Bulova: bulova; Accutron = accutron, bulova accutron; Lunar Pilot = bulova lunar pilot
  Casio: casio; own shape = G(A|M|W|X|D|ST|BD|MW|WG|WF|PR|MA)-[@]####[@{1,4}][-?{1,6}]; own shape = M(TG|RG)-[@]####[@{1,4}][-?{1,6}]; shape = G(A|M|W|X|D)[@]####[@{1,3}][-?{1,6}]; shape = DW[-]####[@{1,3}][-?{1,6}]; G-Shock = g-shock, g shock, gshock, casioak; Edifice = casio edifice; Oceanus = casio oceanus
  CIGA Design: ciga design, cigadesign
  Citizen: citizen watch, citizen watches, citizen eco drive, citizen eco-drive, citizen promaster, citizen tsuyosa, citizen automatic, the citizen caliber; own shape = (NJ|NY)0###[-##@]; own shape = (AT|AW|BJ|BM|BN|BU|CA|CB|CC|JY|NB|NH|NK)####-##@; shape = (AT|AW|BJ|BM|BN|BU|CA|CB|CC|JY|NB|NH|NK)####; Tsuyosa = tsuyosa; Promaster = promaster
  Cornell: cornell watch, cornell 1870
  Credor; Eichi = credor eichi
  Dan Henry
  Direnzo
  Elgin: elgin watch, elgin pocket watch
  Fleming: fleming series 1, fleming watch
  Fossil: fossil watch, fossil smartwatch
  Garmin: garmin; MARQ = garmin marq
  Ginault
  Gorilla: gorilla watches, gorilla fastback
  Halios
  Hamilton: hamilton watch, hamilton watches, hamilton murph, hamilton psr; own shape = H########; Khaki = hamilton khaki, khaki field, khaki king; Jazzmaster = hamilton jazzmaster; Murph = khaki murph; Ventura = hamilton ventura; Intra-Matic = hamilton intramatic, intra-matic
  Helson: helson shark diver, helson watch
  Invicta
  Islander: islander watch, islander watches
  Isotope: isotope watches, isotope mercury
  J.N. Shapiro: jn shapiro, j.n. shapiro; Resurgence = shapiro resurgence; Infinity = shapiro infinity
  Keaton Myrick
  Kikuno: masahiro kikuno
  Kuoe: kuoe kyoto
  Kurono Tokyo: kurono tokyo, kurono, kurono bunkyo
  Lorier
  Lorus
  Luminox
  Marathon: marathon watch, marathon gsar, marathon tsar, marathon jdd
  Minase: minase watch, minase divido, minase horizon
  Ming: ming watch, ming watches, ming horology; 17 = ming 17.01, ming 17.03, ming 17.06, ming 17.09; 18 = ming 18.01; 19 = ming 19.01, ming 19.02, ming 19.05; 20 = ming 20.01, ming 20.11; 22 = ming 22.01; 27 = ming 27.01, ming 27.02; 29 = ming 29.01; 37 = ming 37.02, ming 37.04, ming 37.05, ming 37.07, ming 37.08, ming 37.09, ming 37.11
  Monta: monta watch, monta oceanking, monta triumph, monta atlas, monta noble
  Naoya Hida: naoya hida, naoya hida & co
  Nodus: nodus watch, nodus watches, nodus sector
  Oak & Oscar: oak & oscar, oak and oscar
  Orient: orient watch, orient star, orient ray, orient bambino, orient kamasu, orient mako
  Otsuka Lotec
  Pagani Design
  Phoibos
  Pulsar: pulsar watch, pulsar p2, hamilton pulsar
  Qin Gan: qin gan
  RGM: rgm watch, rgm watch co
  RZE: rze resolute, rze endeavour, rze watch
  San Martin: san martin watch, san martin sn
  Scurfa
  Seagull: seagull 1963, seagull watch, sea-gull watch
  Seiko: seiko; own shape = S(KX|LA|NA|ND|NE|NJ|NK|NZ|PB|RP|RK|SA|SB|SC|SK|UP|UR|JE|RQ)###[@#]; own shape = S(RP@|ARB|ARX|ARY|BDC|BDX|BDY|BDJ|BPY|BTR|CVS|DKS)##[#][@#]; shape = ####-####[@]; Prospex = prospex, seiko prospex; Presage = seiko presage; King Seiko = king seiko; Seiko 5 = seiko 5, seiko 5 sports
  Shinola: shinola runwell, shinola watch, shinola detroit
  Takano: takano chateau, takano watch
  Timex
  Toledano & Chan: toledano & chan, toledano and chan, toledano chan
  Traska
  Vaer: vaer watch, vaer watches
  Vostok: vostok, vostok amphibia
  Waltham: waltham watch, waltham pocket watch
  Weiss: weiss watch, weiss watch company
  Wittnauer
  Zelos: zelos watch, zelos watches
`;

export const houses = parseBrandLines(`${EUROPEAN_HOUSES}\n${OTHER_HOUSES}`);
