import type { BrandData } from "../brand.ts";
import { ROLEX_LAUNCHED, ROLEX_USUAL } from "./rolex-facts.ts";

/** References and collections are the catalogue numbers of the brand, as dealers write them. */
export const rolex = {
  name: "Rolex",
  spellings: ["rolex", "rlx", "rlex", "rolx", "rollie", "rolexx"],
  shapes: [
    {
      pattern:
        "(114|115|116|117|118|119|124|126|127|128|134|136|168|169|176|177|178|179|214|216|218|224|226|228|268|276|277|278|279|326|336)###[~(BLRO|BLNR|CHNR|GRNR|VTNR|RBOW|SABR|SATS|SACO|SARU|SANR|SALV|SAFUBL|SAPH|RBR|TBR|TRU|TEM|BBR|BR|LN|LB|LV|GV|EIS|JAR|NRAS|F)][(VIIX|VIXI|YML|NG|VI|PN|DI|D|G|A)][-####]",
      trust: "shape",
    },
    { pattern: "M(11|12|13|17|21|22|26|27|32|33)####[@{1,6}][-####]", trust: "shape" },
    { pattern: "M(50|52)###[@{1,4}]-####", trust: "shape" },
    {
      pattern: "(50|52|80|81|86)###[~(RBR|TBR|SABR|SANR|LN)][-####]",
      trust: "context",
    },
    {
      pattern:
        "(14|15|16|17|18|19|67|68|69|76|77|78|79)###[~(BLRO|SACO|SAB|LN|LV|LB|LB|GV|M|G|T|A)]",
      trust: "context",
    },
    { pattern: "####[/#][(A|B)]", trust: "context" },
  ],
  prefix: "M",
  models: [
    {
      name: "Oysterquartz",
      words: ["oysterquartz", "oyster quartz"],
      references: "17000 17013 17014 19018 19019",
    },
    {
      name: "Turn-O-Graph",
      words: ["turn o graph", "turnograph", "turn-o-graph"],
      references: "116261 116263 116264",
    },
    {
      name: "Submariner Date",
      words: ["submariner date", "sub date", "subdate", "oyster perpetual submariner date"],
      references:
        "16610 16610LN 16610LV 16613 16613LB 16613LN 16618 16618LB 16618LN 16800 168000 16803 16808 1680 116610LN 116610LV 116613LB 116613LN 116618LB 116618LN 116619LB 116659SABR 126610LN 126610LV 126613LB 126613LN 126618LB 126618LN 126619LB 116610 116613 116618 116619 126610 126613 126618 126619",
    },
    {
      name: "Submariner",
      words: [
        "submariner",
        "sub no date",
        "submariner no date",
        "no date sub",
        "sub nd",
        "sub",
        "oyster perpetual submariner",
      ],
      references: "14060 14060M 114060 124060 5508 5510 5512 5513 5517 6204 6205 6200 6536 6538",
    },
    {
      name: "Daytona",
      words: [
        "daytona",
        "cosmograph",
        "cosmograph daytona",
        "dayytona",
        "daytonna",
        "d8tona",
        "oyster perpetual cosmograph daytona",
        "oyster perpetual daytona",
        "rbow",
      ],
      references:
        "6234 6238 6239 6240 6241 6262 6263 6264 6265 16518 16519 16520 16523 16528 16568 16588 16589 116500 116500LN 116503 116505 116506 116508 116509 116515LN 116518LN 116519LN 116520 116523 116528 116578SACO 116588SACO 116588TBR 116589RBR 116595RBOW 116598RBOW 116599RBOW 116599TBR 126500 126500LN 126502 126503 126505 126506 126508 126509 126515 126515LN 126518 126518LN 126519LN 126518SABR 126525LN 126528LN 126529LN 126535TBR 126538TBR 126539TBR 126555TBR 126579RBR 126589RBR 126595TBR 126598TBR 126598RBOW 126599TBR 126599RBOW 116515 116518 116519 126519 126528 126529 126538 126539 126579 126589",
    },
    {
      name: "GMT-Master II",
      words: [
        "gmt master ii",
        "gmt master 2",
        "gmt master ll",
        "gmt ii",
        "gmt 2",
        "gmt master",
        "gmt",
        // A suffix alone names the colours of the bezel, which only this model has.
        "blro",
        "blnr",
        "chnr",
        "grnr",
        "vtnr",
        "oyster perpetual gmt master",
        "oyster perpetual gmt master ii",
      ],
      references:
        "16710 16710LN 16710BLRO 16713 16713LN 16718 16760 116710LN 116710BLNR 116713LN 116718LN 116719BLRO 116758SARU 116758SANR 116769TBR 126710BLNR 126710BLRO 126710GRNR 126711CHNR 126713GRNR 126715CHNR 126718GRNR 126719BLRO 126720VTNR 126729VTNR 126755SARU 116710 116713 116718 116719 126710 126711 126713 126715 126718 126719 126720 126729",
    },
    { name: "GMT-Master", references: "1675 6542 16700 16750 16753 16758" },
    {
      name: "Datejust 41",
      words: ["datejust 41", "dj 41", "dj41", "date just 41", "oyster perpetual datejust 41"],
      references: "126300 126301 126303 126331 126333 126334",
    },
    {
      name: "Datejust II",
      words: ["datejust ii", "dj2", "djii"],
      references: "116300 116333 116334",
    },
    {
      name: "Datejust 36",
      words: ["datejust 36", "dj 36", "dj36", "date just 36", "oyster perpetual datejust 36"],
      references:
        "116138 116139 116188 116189 116200 116201 116203 116208 116231 116233 116234 116238 116243 116244 126200 126201 126203 126231 126233 126234 126281RBR 126283RBR 126284RBR 126281 126283 126284",
    },
    {
      name: "Datejust 31",
      words: ["datejust 31", "dj 31", "dj31", "date just 31", "oyster perpetual datejust 31"],
      references:
        "6824 6827 68240 68273 68274 68278 68279 68288 78240 78273 78274 178240 178241 178243 178245 178271 178273 178274 178275 178278 178279 178313 178341 178343 178344 178383 178384 278240 278241 278243 278245 278248 278271 278273 278274 278275 278278 278285RBR 278288RBR 278289RBR 278341RBR 278343RBR 278344RBR 278381RBR 278383RBR 278384RBR 278285 278288 278289 278341 278343 278344 278381 278383 278384",
    },
    {
      name: "Lady-Datejust",
      words: ["lady datejust", "datejust 28", "dj28", "lady dj"],
      references:
        "6516 6517 6719 6824 6827 6916 6917 6919 6924 69068 69088 69136 69138 69158 69160 69173 69174 69178 69179 79136 79138 79158 79160 79163 79171 79173 79174 79175 79178 79179 79190 79240 179160 179161 179163 179165 179171 179173 179174 179175 179178 179179 179313 279135RBR 279136RBR 279138RBR 279139RBR 279160 279161 279163 279165 279166 279171 279173 279174 279175 279178 279381RBR 279383RBR 279384RBR 279135 279138 279381 279383 279384",
    },
    {
      name: "Datejust",
      words: [
        "datejust",
        "date just",
        "dj",
        "oyster perpetual datejust",
        "oyster perpetual date just",
      ],
      references:
        "1600 1601 1603 1607 1611 1625 1630 6305 6604 6605 16000 16013 16014 16018 16030 16200 16203 16220 16233 16234 16238 16248 16263 16264 16253 16258 16078 16019",
    },
    {
      name: "Day-Date 40",
      words: ["day date 40", "daydate 40", "dd40", "president 40"],
      references:
        "228206 228235 228236 228238 228239 228345RBR 228348RBR 228349RBR 228396TBR 228398TBR 228345 228348 228349 228396 228398",
    },
    {
      name: "Day-Date 36",
      words: ["day date 36", "daydate 36", "dd36"],
      references:
        "1802 1803 1804 1806 1807 1811 1831 6611 6612 18026 18029 18038 18039 18078 18206 18208 18238 18239 18248 18338 18346 18348 18108 18128 18138 18139 18148 18158 18388 18946 118135 118138 118139 118205 118205F 118206 118208 118209 118235 118238 118239 118338 118346 118348 118388 118389 128235 128236 128238 128239 128345RBR 128348RBR 128349RBR 128396TBR 128398TBR 128395TBR 128345 128348 128349 128396 128159RBR 128155RBR 128158TBR",
    },
    { name: "Day-Date II", references: "218206 218235 218238 218239 218348 218349 218398" },
    { name: "Day-Date", words: ["day date", "daydate", "oyster perpetual day date"] },
    {
      name: "Oyster Perpetual 41",
      words: ["oyster perpetual 41", "op 41", "op41"],
      references: "124300 134300",
    },
    {
      name: "Oyster Perpetual 36",
      words: ["oyster perpetual 36", "op 36", "op36"],
      references: "116000 126000 126003",
    },
    {
      name: "Oyster Perpetual 34",
      words: ["oyster perpetual 34", "op 34", "op34"],
      references: "114200 124200",
    },
    {
      name: "Oyster Perpetual 31",
      words: ["oyster perpetual 31", "op 31", "op31"],
      references: "177200 177210 277200 67480 77080 77014 77483 77513",
    },
    {
      name: "Oyster Perpetual 28",
      words: ["oyster perpetual 28", "op 28", "op28"],
      references: "276200 176200 176210 176234 67180 76080 76030",
    },
    {
      name: "Oyster Perpetual 39",
      words: ["op39", "op 39", "oyster perpetual 39"],
      references: "114300",
    },
    {
      name: "Oyster Perpetual",
      words: ["oyster perpetual", "rolex op"],
      references:
        "1002 1003 1005 1007 1008 1018 1024 6284 6564 6694 14000 14000M 14010 14203 14208 67193",
    },
    {
      name: "Oyster Perpetual Date",
      words: [
        "oyster perpetual date",
        "op date",
        "rolex date 34",
        "rolex oyster date",
        "rolex oysterdate",
        "oysterdate precision",
      ],
      references:
        "1500 1501 1503 1505 1530 1550 15000 15010 15053 15200 15203 15210 15223 15238 15037 15038 15505 115200 115210 115234",
    },
    {
      name: "Explorer II",
      words: ["explorer ii", "explorer 2", "exp ii", "exp 2", "oyster perpetual explorer ii"],
      references: "1655 16550 16570 216570 226570",
    },
    {
      name: "Explorer",
      words: ["explorer", "explorer 36", "explorer 40", "explorer i", "oyster perpetual explorer"],
      references: "1016 6350 6610 14270 114270 124270 124273 214270 224270",
    },
    {
      name: "Sea-Dweller",
      words: ["sea dweller", "seadweller", "sd43", "sd 43", "sd4k", "oyster perpetual sea dweller"],
      references: "1665 16600 16660 116600 126600 126603",
    },
    {
      name: "Deepsea",
      words: ["deepsea", "deep sea", "dssd", "deepsea challenge"],
      references: "116660 126660 126067 136660 136668LB",
    },
    {
      name: "Yacht-Master",
      words: [
        "yacht master",
        "yachtmaster",
        "ym",
        "ym40",
        "ym 40",
        "ym37",
        "ym 37",
        "ym42",
        "ym 42",
        "oyster perpetual yacht master",
      ],
      references:
        "16622 16623 16628 68623 68628 69623 168622 168623 116621 116622 116623 116655 116695SATS 126621 126622 126655 126679SABR 226627 226658 226659 226668 226679TBR 226678TBR 268621 268622 268655 226675",
    },
    {
      name: "Yacht-Master II",
      words: ["yacht master ii", "yachtmaster ii", "ym ii", "ym2"],
      references: "116680 116681 116688 116689",
    },
    {
      name: "Sky-Dweller",
      words: ["sky dweller", "skydweller", "sky"],
      references:
        "326133 326135 326138 326139 326235 326238 326239 326933 326934 326935 326938 326939 336132 336133 336135 336138 336139 336235 336238 336239 336259TBR 336933 336934 336935 336938",
    },
    {
      name: "Land-Dweller",
      words: ["land dweller", "landdweller"],
      references:
        "127234 127235 127236 127285TBR 127286TBR 127334 127335 127336 127385TBR 127386TBR",
    },
    {
      name: "Air-King",
      words: ["air king", "airking", "oyster perpetual air king"],
      references: "5500 14000 114200 116900 126900",
    },
    {
      name: "Milgauss",
      words: ["milgauss", "oyster perpetual milgauss"],
      references: "1019 6541 116400 116400GV",
    },
    {
      name: "1908",
      words: ["rolex 1908", "perpetual 1908"],
      references: "52506 52508 52509 52505",
    },
    {
      name: "Cellini",
      words: ["cellini"],
      references: "50505 50509 50515 50519 50525 50529 50535 50605RBR 50609RBR 50705RBR 50709RBR",
    },
    {
      name: "Pearlmaster",
      words: ["pearlmaster"],
      references:
        "80298 80299 80315 80318 80319 81158 81159 81285 81298 81299 81315 81318 81319 81348 81409RBR 86285 86348 86349 86409RBR",
    },
  ],
  nicknames: {
    "zenith daytona": { name: "Zenith", model: "Daytona" },
    freccione: { name: "Freccione", model: "Explorer II", references: "1655" },
    "clint eastwood": { name: "Clint Eastwood", model: "GMT-Master" },
    pepsi: {
      name: "Pepsi",
      model: "GMT-Master II",
      references: "126710BLRO 126719BLRO 116719BLRO",
    },
    batman: { name: "Batman", model: "GMT-Master II", references: "126710BLNR 116710BLNR" },
    "bat man": { name: "Batman", model: "GMT-Master II" },
    batgirl: { name: "Batgirl", model: "GMT-Master II", references: "126710BLNR" },
    coke: { name: "Coke", model: "GMT-Master II", references: "16760" },
    "root beer": { name: "Root Beer", model: "GMT-Master II", references: "126711CHNR 126715CHNR" },
    rootbeer: { name: "Root Beer", model: "GMT-Master II" },
    sprite: { name: "Sprite", model: "GMT-Master II", references: "126720VTNR" },
    "bruce wayne": { name: "Bruce Wayne", model: "GMT-Master II", references: "126710GRNR" },
    bruce: { name: "Bruce Wayne", model: "GMT-Master II" },
    zombie: { name: "Zombie", model: "GMT-Master II" },
    "green arrow": { name: "Green Arrow", model: "GMT-Master II" },
    hulk: { name: "Hulk", model: "Submariner Date", dial: "green", references: "116610LV" },
    kermit: { name: "Kermit", model: "Submariner Date", references: "16610LV" },
    starbucks: { name: "Starbucks", model: "Submariner Date", references: "126610LV" },
    starbuck: { name: "Starbucks", model: "Submariner Date" },
    smurf: { name: "Smurf", model: "Submariner Date", dial: "blue", references: "116619LB" },
    "cookie monster": { name: "Cookie Monster", model: "Submariner Date", references: "126619LB" },
    bluesy: { name: "Bluesy", model: "Submariner Date", references: "126613LB 116613LB 16613LB" },
    bluessy: { name: "Bluesy", model: "Submariner Date" },
    "john mayer": { name: "John Mayer", model: "Daytona" },
    pikachu: { name: "Pikachu", model: "Daytona" },
    "le mans": { name: "Le Mans", model: "Daytona", references: "126529LN 126528LN" },
    "james cameron": { name: "James Cameron", model: "Deepsea" },
    "d blue": { name: "D-Blue", model: "Deepsea", dial: "blue" },
    dblue: { name: "D-Blue", model: "Deepsea", dial: "blue" },
    polar: { name: "Polar", model: "Explorer II", dial: "white" },
    eisenkiesel: { name: "Eisenkiesel" },
  },
  called: {
    "blro, 百事圈, пепси, بيبسي": "126710BLRO 126719BLRO 116719BLRO 16710BLRO",
    "blnr, 蝙蝠侠, 蝙蝠俠, бэтмен, бэтмэн, бетмен, باتمان, بات مان": "126710BLNR 116710BLNR",
    "可乐圈, 可樂圈": "16710LN 16760",
    "chnr, 沙士圈": "126711CHNR 126715CHNR",
    "vtnr, 雪碧圈": "126720VTNR 126729VTNR",
    grnr: "126710GRNR 126713GRNR 126718GRNR",
    "绿水鬼, 綠水鬼, 绿鬼, 綠鬼": "126610LV 116610LV 16610LV",
    "黑水鬼, 黑鬼": "126610LN 116610LN 16610LN 124060 114060",
    "蓝水鬼, 藍水鬼": "126619LB 116619LB 126613LB 116613LB",
    "间金水鬼, 間金水鬼": "126613LB 126613LN 116613LB 116613LN",
    "绿玻璃, 綠玻璃": "116400GV",
  },
  dialCodes: {
    G: "diamond",
    NG: "MOP diamond",
    VI: "diamond VI",
    VIIX: "diamond VI IX",
    VIXI: "diamond VI IX",
    A: "baguette",
    YML: "yellow lacquer",
    PN: "Paul Newman",
    DI: "diamond",
    D: "diamond",
  },
  launched: ROLEX_LAUNCHED,
  usual: ROLEX_USUAL,
} as const satisfies BrandData;
