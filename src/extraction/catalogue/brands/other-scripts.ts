/**
 * What brands and models are called in other scripts than the Latin one. Where dealers decline a name, its forms are listed.
 * A name that is also an ordinary word (游艇, зенит) has a second word.
 */
import { parseBrandLines } from "../brand.ts";

/** Chinese in both scripts, and Japanese. */
const EAST_ASIAN = `
  Rolex: 劳力士, 勞力士, 劳利士, 勞力仕, ロレックス, 롤렉스, 로렉스; Submariner = 水鬼, 黑水鬼, 黑鬼, 潜航者, 潛航者, サブマリーナ, サブマリーナー, 서브마리너; Submariner Date = 绿水鬼, 綠水鬼, 绿鬼, 綠鬼, 蓝水鬼, 藍水鬼, 间金水鬼, 間金水鬼, サブマリーナデイト, サブマリーナーデイト; Daytona = 迪通拿, 迪通那, 地通拿, 地通那, 宇宙计型, 宇宙計型, デイトナ, 데이토나; Datejust = 日志型, 日誌型, 日志, 日誌, デイトジャスト, 데이저스트; Day-Date = 星期日历, 星期日曆, 星期日历型, 星期日曆型, デイデイト; Explorer = 探险家, 探險家, 探险家型, 探險家型, 探一, 探1, エクスプローラー; Explorer II = 探险家二, 探險家二, 探险家2, 探險家2, 探二, 探2, エクスプローラーII; GMT-Master II = 格林尼治, 格林尼治型, 格林威治, 百事圈, 可乐圈, 可樂圈, 雪碧圈, 沙士圈, 蝙蝠侠, 蝙蝠俠, GMTマスター, GMTマスターII; Yacht-Master = 游艇名仕, 遊艇名仕, 游艇名士, 遊艇名士, 劳力士游艇, 勞力士遊艇, ヨットマスター; Sea-Dweller = 海使, 海使型, シードゥエラー; Deepsea = 鬼王, 劳力士深海, 勞力士深海, ディープシー; Sky-Dweller = 纵航者, 縱航者, 天行者, スカイドゥエラー; Land-Dweller = 陆行者, 陸行者; Air-King = 空霸, 空中霸王, エアキング; Oyster Perpetual = 蚝式恒动, 蠔式恆動, 蚝式恆動, オイスターパーペチュアル; Milgauss = 绿玻璃, 綠玻璃, ミルガウス; Cellini = 切利尼; Daytona = デイトナ, 데이토나; Datejust = デイトジャスト, 데이저스트; Explorer = エクスプローラー, 익스플로러; Sea-Dweller = シードゥエラー, 씨드웰러, 시드웰러; Day-Date = デイデイト, 데이데이트; Yacht-Master = ヨットマスター, 요트마스터; GMT-Master II = GMTマスター, 지엠티마스터; Milgauss = ミルガウス, 밀가우스; Submariner = 섭마리너
  Patek Philippe: 百达翡丽, 百達翡麗, 百达斐丽, 百達斐麗, パテックフィリップ, パテック, 파텍필립, 파텍; Nautilus = 鹦鹉螺, 鸚鵡螺, ノーチラス; Aquanaut = 手雷, 手榴弹, 手榴彈, アクアノート; Calatrava = 卡拉卓华, 卡拉卓華, カラトラバ; Nautilus = 노틸러스; Aquanaut = 아쿠아넛
  Audemars Piguet: 爱彼, 愛彼, オーデマピゲ, オーデマ・ピゲ, 오데마피게, 오데마 피게; Royal Oak = 皇家橡树, 皇家橡樹, ロイヤルオーク; Royal Oak Offshore = 皇家橡树离岸, 皇家橡树离岸型, 皇家橡樹離岸, 皇家橡樹離岸型; Royal Oak = 로얄오크, 로열오크
  Richard Mille: 理查德米勒, 理查德米尔, 理查德米爾, 里查德米尔, 理查米尔, 理查米爾, 李察米爾, リシャールミル, 리차드밀, 리샤르밀
  Tudor: 帝舵, 帝陀, 刁陀, チューダー, チュードル, 튜더; Black Bay = 碧湾, 碧灣, 小红花, 小紅花, ブラックベイ; Pelagos = 领潜, 領潛, 领潜型, 領潛型, ペラゴス; Black Bay = 블랙베이; Pelagos = 펠라고스
  Omega: 欧米茄, 歐米茄, 奥米茄, 奧米茄, 欧米加, 亞米茄, オメガ, 오메가; Speedmaster = 超霸, スピードマスター; Seamaster = 海马, 海馬, シーマスター; De Ville = 碟飞, 蝶飞, 碟飛, 蝶飛; Speedmaster = 스피드마스터; Seamaster = 씨마스터, 시마스터; Constellation = コンステレーション, 컨스텔레이션; De Ville = デビル, 드빌
  Cartier: 卡地亚, 卡地亞, カルティエ, 까르띠에, 카르티에; Santos = 山度士, サントス; Tank = 坦克; Ballon Bleu = 蓝气球, 藍氣球, バロンブルー; Panthère = 卡地亚猎豹, 卡地亞獵豹; Tank = タンク, 탱크; Santos = 산토스; Ballon Bleu = 발롱블루; Panthère = パンテール, 팬더
  Vacheron Constantin: 江诗丹顿, 江詩丹頓, ヴァシュロンコンスタンタン, ヴァシュロン, ヴァシュロン・コンスタンタン, 바쉐론콘스탄틴, 바쉐론 콘스탄틴, 바쉐론; Overseas = 纵横四海, 縱橫四海; Overseas = オーヴァーシーズ, オーバーシーズ, 오버시즈
  A. Lange & Söhne: 朗格, ランゲ, ランゲ&ゾーネ, 랑에
  IWC: 万国, 萬國, インターナショナルウォッチカンパニー, 아이더블유씨; Portugieser = 葡计, 葡計, 葡七, 葡萄牙计时, 万国葡萄牙, 萬國葡萄牙, ポルトギーゼ; Pilot = 万国飞行员, 萬國飛行員; Portofino = 柏涛菲诺, 柏濤菲諾; Portugieser = ポルトギーゼ, 포르투기저; Pilot = パイロットウォッチ, 파일럿워치
  Panerai: 沛纳海, 沛納海, パネライ, 파네라이; Luminor = 庐米诺, 廬米諾, ルミノール; Luminor = 루미노르, 루미노
  Jaeger-LeCoultre: 积家, 積家, ジャガールクルト, ジャガー・ルクルト, 예거르쿨트르, 예거 르쿨트르; Reverso = 翻转, 翻轉, レベルソ; Reverso = 리베르소
  Breitling: 百年灵, 百年靈, ブライトリング, 브라이틀링; Navitimer = 航空计时, 航空計時; Navitimer = ナビタイマー, 네비타이머; Superocean = スーパーオーシャン
  Blancpain: 宝珀, 寶珀, ブランパン, 블랑팡; Fifty Fathoms = 五十噚, 五十寻; Villeret = ヴィルレ; Fifty Fathoms = フィフティファゾムス
  Breguet: 宝玑, 寶璣, ブレゲ, 브레게; Classique = クラシック; Marine = マリーン; Tradition = トラディション
  Hublot: 宇舶, 恒宝, 恆寶, ウブロ, 위블로; Big Bang = 宇舶大爆炸; Big Bang = ビッグバン, 빅뱅; Classic Fusion = クラシックフュージョン
  Zenith: 真力时, 真力時, ゼニス, 제니스; Chronomaster = エルプリメロ
  TAG Heuer: 豪雅, 泰格豪雅, タグホイヤー, 태그호이어; Carrera = 卡莱拉, 卡萊拉; Monaco = 摩纳哥, 摩納哥; Carrera = カレラ, 까레라; Aquaracer = アクアレーサー, 아쿠아레이서; Monaco = モナコ
  Bulgari: 宝格丽, 寶格麗, ブルガリ, 불가리
  Chopard: 萧邦, 蕭邦, ショパール, 쇼파드
  Girard-Perregaux: 芝柏, ジラール・ペルゴ, ジラールペルゴ
  Ulysse Nardin: 雅典, ユリスナルダン, ユリス・ナルダン
  Parmigiani Fleurier: 帕玛强尼, 帕瑪強尼
  H. Moser & Cie.: 亨利慕时, 亨利慕時
  F.P.Journe: 儒纳, 儒納
  Grand Seiko: 冠蓝狮, 冠藍獅, グランドセイコー, 그랜드세이코, 그랜드 세이코
  Seiko: 精工, 精工表, 精工錶, セイコー, 세이코; Prospex = プロスペックス; Presage = プレザージュ
  Citizen: 西铁城, 西鐵城, 星辰錶, シチズン, 시티즌
  Casio: 卡西欧, 卡西歐, カシオ, 카시오
  Longines: 浪琴, ロンジン, 론진; Master Collection = 浪琴名匠; HydroConquest = 浪琴康卡斯
  Tissot: 天梭, ティソ, 티쏘
  Mido: 美度
  Rado: 雷达表, 雷達錶
  Oris: 豪利时, 豪利時, オリス, 오리스
  Glashütte Original: 格拉苏蒂, 格拉苏蒂原创, 格拉蘇蒂
  Nomos: 诺莫斯
  Roger Dubuis: 罗杰杜彼, 羅杰杜彼, ロジェデュブイ, 로저드뷔
  Piaget: 伯爵, ピアジェ, 피아제
  Montblanc: 万宝龙, 萬寶龍, モンブラン, 몽블랑
  Franck Muller: 法穆兰, 法穆蘭, 法兰克穆勒, フランクミュラー, 프랭크뮬러
  Hamilton: ハミルトン, 해밀턴
  Corum: コルム
  Hermès: エルメス
  Chanel: シャネル
  Gucci: グッチ
  Bell & Ross: ベルアンドロス, ベル&ロス
`;

const CYRILLIC = `
  Rolex: roleх, ролекс, ролекса, ролексу, ролексы, ролексов, роликс; Submariner = субмаринер, сабмаринер, субмарина, субмарину; Daytona = дайтона, дайтону, дайтоны, дейтона, дейтону, дейтоны; Datejust = датджаст, датеджаст, дейтджаст, дейт джаст, датейджаст; Day-Date = дей дейт, дэй дэйт, дэйдейт, дейдейт; GMT-Master II = гмт, гмт мастер, пепси, бэтмен, бэтмэн, бетмен; Explorer = эксплорер; Explorer II = эксплорер 2; Yacht-Master = яхтмастер, яхт мастер; Sea-Dweller = сидвеллер, си двеллер; Sky-Dweller = скайдвеллер, скай двеллер; Oyster Perpetual = ойстер перпетуал; Milgauss = милгаусс, милгаус
  Patek Philippe: патек, патека, патеки, патек филипп, патек филип, патека филиппа; Nautilus = наутилус, наутилуса, наутилусы; Aquanaut = акванаут, акванавт; Calatrava = калатрава
  Audemars Piguet: одемар, одемар пиге, аудемар пиге; Royal Oak = роял оук, ройал оук, роял оак; Royal Oak Offshore = оффшор, роял оук оффшор
  Richard Mille: ришар миль, ришар милль, ричард милле
  Tudor: тюдор, тудор; Black Bay = блэк бэй, блек бей, блэк бей; Pelagos = пелагос
  Omega: омега, омегу, омеги; Speedmaster = спидмастер; Seamaster = симастер, симастер 300; Planet Ocean = планет оушен
  Cartier: картье; Santos = сантос; Tank = картье танк, танк маст; Ballon Bleu = баллон блю; Panthère = пантера картье
  Vacheron Constantin: вашерон, вашерон константин; Overseas = оверсиз
  A. Lange & Söhne: ланге, ланге и зёне
  IWC: айвиси; Portugieser = португизер
  Panerai: панерай, панераи; Luminor = луминор
  Jaeger-LeCoultre: жежер лекультр, егер лекультр, жегер лекультр; Reverso = реверсо
  Breitling: брайтлинг, бретлинг; Navitimer = навитаймер
  Blancpain: бланпан, бланпейн; Fifty Fathoms = фифти фатомс, фифти фэтомс
  Breguet: бреге
  Hublot: хублот, хубло, ублот; Big Bang = биг бэнг, биг бенг, хублот биг бэнг
  Zenith: часы зенит, зенит эль примеро
  TAG Heuer: таг хойер, таг хоер; Carrera = таг хойер каррера
  Bulgari: булгари
  Chopard: шопар
  Ulysse Nardin: улисс нардин, улис нардин
  Girard-Perregaux: жирар перрего
  Grand Seiko: гранд сейко
  Seiko: сейко
  Casio: касио
  Longines: лонжин, лонжинес
  Tissot: тиссот
  Roger Dubuis: роже дюбуи
  Franck Muller: франк мюллер
`;

/** Arabic is written with and without the article. Hebrew, Greek and Thai have the names that dealers trade most. */
const OTHER = `
  Rolex: رولكس, روليكس, رولیکس, الرولكس, رولكسات, רולקס, ρολεξ, โรเล็กซ์, โรเลกซ์; Submariner = سبمارينر, صبمارينر, سابمارينر, ساب مارينر, سب مارينر, سبمارين, צוללן; Daytona = دايتونا, ديتونا, الدايتونا, דייטונה; Datejust = ديت جست, ديتجست, دايت جست, ديت جاست, ديتجاست, دايتجست, דייטג'אסט; Day-Date = داي ديت, دي ديت, داي دايت; GMT-Master II = جي ام تي, جي ام تي ماستر, جيمتي, بات مان, باتمان, بيبسي; Explorer = اكسبلورر, إكسبلورر; Yacht-Master = يخت ماستر, ياخت ماستر; Sky-Dweller = سكاي دويلر, سكاي دولر; Sea-Dweller = سي دويلر; Oyster Perpetual = اويستر بربتشوال
  Patek Philippe: باتيك فيليب, باتيك, باتك فيليب, باتك, بتك فيليب, פטק פיליפ, פטק; Nautilus = نوتيلوس, النوتيلوس, نوتيلس, ناوتيلوس; Aquanaut = اكوانوت, أكوانوت, אקוואנוט
  Audemars Piguet: أوديمار بيغيه, اوديمار بيغيه, اوديمار بيجيه, اوديمار بيجه, اوديمار بيقيه, اوديمار, אודמר פיגה; Royal Oak = رويال اوك, رويال أوك, الرويال اوك; Royal Oak Offshore = رويال اوك اوفشور, اوف شور
  Richard Mille: ريتشارد ميل, ريشارد ميل, ريتشارد ميلي
  Tudor: تيودور, تودور, طودور; Black Bay = بلاك باي
  Omega: أوميغا, اوميغا, أوميجا, اوميجا, اوميقا, אומגה, ωμεγα; Speedmaster = سبيدماستر, سبيد ماستر; Seamaster = سيماستر, سي ماستر
  Cartier: كارتير, كارتييه, كارتيه, كرتير, קרטייה; Santos = سانتوس; Tank = كارتير تانك, تانك ماست; Ballon Bleu = بالون بلو; Panthère = كارتير بانتير
  Vacheron Constantin: فاشيرون, فاشرون, فاشيرون كونستانتين, فاشيرون كونستنتين; Overseas = اوفرسيز
  IWC: اي دبليو سي
  Panerai: بانيراي, بانراي
  Jaeger-LeCoultre: جيجر لوكولتر, جيجر لكولتر
  Breitling: بريتلينغ, برايتلينغ, بريتلنق, برايتلنج
  Breguet: بريجيه, بريغيه
  Blancpain: بلانبان
  Hublot: هوبلوت, هبلوت, هوبلو; Big Bang = بيغ بانغ, بيج بانج, بق بانق
  TAG Heuer: تاغ هوير, تاج هوير
  Bulgari: بولغاري, بلغاري, بولجاري
  Chopard: شوبارد
  Longines: لونجين, لونجينز
  Seiko: سيكو
  Casio: كاسيو
  Tissot: تيسوت
`;

export const otherScripts = parseBrandLines(`${EAST_ASIAN}\n${CYRILLIC}\n${OTHER}`);
