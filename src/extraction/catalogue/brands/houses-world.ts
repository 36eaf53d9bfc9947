/** Houses outside Europe, in the notation of `houses.ts`. */
export const OTHER_HOUSES = `
  Asaoka: hajime asaoka
  Autodromo: autodromo watch, autodromo group b
  Azimuth: azimuth watch, azimuth watches
  Ball: ball watch, ball watches, ball engineer, ball fireman, ball roadmaster, ball trainmaster
  Behrens: behrens watch, behrens original
  Benrus
  Brew: brew watch, brew metric
  Bulova: bulova; Accutron = accutron, bulova accutron; Lunar Pilot = bulova lunar pilot
  Casio: casio; G-Shock = g-shock, g shock, gshock, casioak
  CIGA Design: ciga design, cigadesign
  Citizen: citizen watch, citizen watches, citizen eco drive, citizen eco-drive, citizen promaster, citizen tsuyosa, the citizen caliber
  Cornell: cornell watch, cornell 1870
  Credor; Eichi = credor eichi
  Elgin: elgin watch, elgin pocket watch
  Fossil: fossil watch, fossil smartwatch
  Garmin: garmin; MARQ = garmin marq
  Gorilla: gorilla watches, gorilla fastback
  Halios
  Hamilton: hamilton watch, hamilton watches; Khaki = hamilton khaki, khaki field, khaki king; Jazzmaster = hamilton jazzmaster; Ventura = hamilton ventura; Intra-Matic = hamilton intramatic, intra-matic
  Invicta
  J.N. Shapiro: jn shapiro, j.n. shapiro; Resurgence = shapiro resurgence; Infinity = shapiro infinity
  Keaton Myrick
  Kikuno: masahiro kikuno
  Kuoe: kuoe kyoto
  Kurono Tokyo: kurono tokyo, kurono, kurono bunkyo
  Lorier
  Luminox
  Marathon: marathon watch, marathon gsar, marathon tsar, marathon jdd
  Minase: minase watch, minase divido, minase horizon
  Ming: ming watch, ming watches, ming horology; 17 = ming 17.01, ming 17.03, ming 17.06, ming 17.09; 18 = ming 18.01; 19 = ming 19.01, ming 19.02, ming 19.05; 20 = ming 20.01, ming 20.11; 22 = ming 22.01; 27 = ming 27.01, ming 27.02; 29 = ming 29.01; 37 = ming 37.02, ming 37.04, ming 37.05, ming 37.07, ming 37.08, ming 37.09, ming 37.11
  Monta: monta watch, monta oceanking, monta triumph, monta atlas, monta noble
  Naoya Hida: naoya hida, naoya hida & co
  Nodus: nodus watch, nodus watches, nodus sector
  Oak & Oscar: oak & oscar, oak and oscar
  Orient: orient watch, orient star, orient bambino, orient kamasu, orient mako
  Otsuka Lotec
  Qin Gan: qin gan
  RGM: rgm watch, rgm watch co
  Seagull: seagull 1963, seagull watch, sea-gull watch
  Seiko: seiko; Prospex = prospex, seiko prospex; Presage = seiko presage; King Seiko = king seiko; Seiko 5 = seiko 5, seiko 5 sports
  Shinola: shinola runwell, shinola watch, shinola detroit
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
