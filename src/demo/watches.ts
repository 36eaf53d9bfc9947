/** A watch that the demo dealers trade. */
export interface DemoWatch {
  readonly brand: string;
  readonly model: string;
  readonly reference: string;
  /** What a new one is worth to dealers, in euros. The amounts are invented, but of a realistic size. */
  readonly worthEur: number;
  readonly firstYear: number;
  /** If absent, the watch is still in production. */
  readonly lastYear?: number;
  /** The first is the most expensive. Empty if the reference has only one dial. */
  readonly dials: readonly string[];
}

// The best-known watches come first. A smaller demo uses the head of the list, and dealers offer these watches more often.
const TABLE = `
Rolex|Submariner Date|126610LN|12750|2020||
Rolex|Daytona|126500LN|28600|2023||white,black
Rolex|GMT-Master II|126710BLRO|19400|2018||
Rolex|GMT-Master II|126710BLNR|16700|2019||
Rolex|Submariner Date|126610LV|13500|2020||
Rolex|Datejust 41|126334|12300|2017||blue,black
Rolex|Submariner|124060|11400|2020||
Patek Philippe|Nautilus|5711/1A-010|92500|2014|2021|
Patek Philippe|Aquanaut|5167A|49800|2013||
Audemars Piguet|Royal Oak|15510ST|41500|2022||blue,black
Rolex|GMT-Master II|126720VTNR|17900|2022||
Rolex|Sky-Dweller|336934|21800|2023||blue,white
Rolex|Explorer II|226570|10300|2021||white,black
Rolex|Oyster Perpetual 41|124300|8900|2020|2024|green,black
Omega|Speedmaster|310.30.42.50.01.001|5450|2021||
Cartier|Santos|WSSA0018|6150|2018||
Tudor|Black Bay 58|79030N|3050|2018||
Rolex|Day-Date 40|228238|42500|2015||green,champagne
Audemars Piguet|Royal Oak Jumbo|16202ST|76500|2022||
Patek Philippe|Nautilus|5712/1A|88500|2012||
Rolex|Yacht-Master|126622|12900|2019||blue,rhodium
Rolex|Datejust 36|126234|10200|2019||blue,silver
Rolex|Daytona|126508|56800|2023||
Rolex|Daytona|116500LN|26900|2016|2023|white,black
Rolex|Submariner Date|116610LN|10900|2010|2020|
Rolex|Submariner Date|116610LV|17200|2010|2020|
Rolex|GMT-Master II|116710BLNR|13600|2013|2019|
Rolex|GMT-Master II|126711CHNR|17600|2018||
Rolex|Explorer|124270|8100|2021||
Rolex|Sea-Dweller|126600|12400|2017||
Rolex|Deepsea|136660|13700|2022||blue,black
Rolex|Milgauss|116400GV|10800|2008|2023|blue,black
Rolex|Air-King|126900|7900|2022||
Rolex|Day-Date 40|228235|45800|2015||olive,sundust
Rolex|Day-Date 40|228239|44200|2015||blue,black
Rolex|Datejust 41|126333|13900|2017||champagne,black
Rolex|Datejust 41|126300|9300|2017||blue,white
Rolex|Oyster Perpetual 36|126000|7600|2020||turquoise,green
Rolex|Submariner Date|126613LB|15600|2020||
Rolex|Submariner Date|126619LB|41800|2020||
Rolex|Submariner Date|126618LB|42900|2020||
Rolex|Daytona|126503|21400|2023||black,white
Rolex|Daytona|126518LN|36900|2023||
Rolex|Daytona|126515LN|38200|2023||
Rolex|GMT-Master II|126715CHNR|40900|2018||
Rolex|GMT-Master II|126718GRNR|39700|2023||
Rolex|Yacht-Master II|116680|19900|2013|2023|
Rolex|Yacht-Master 42|226659|27800|2019||
Rolex|Sky-Dweller|326934|19800|2017|2023|blue,black
Rolex|1908|52508|21900|2023||white,black
Patek Philippe|Nautilus|5711/1R-001|118000|2015|2021|
Patek Philippe|Nautilus|5726/1A-014|74800|2019||
Patek Philippe|Nautilus|5811/1G|142000|2022||
Patek Philippe|Nautilus|5980/1R|168000|2013||
Patek Philippe|Nautilus|5990/1A|93200|2014||blue,black
Patek Philippe|Nautilus|7118/1A|51800|2015||blue,grey
Patek Philippe|Aquanaut|5167R|62500|2013||
Patek Philippe|Aquanaut|5164A|61900|2011||
Patek Philippe|Aquanaut|5164R|109500|2016||
Patek Philippe|Aquanaut|5168G|76900|2017||blue,green
Patek Philippe|Aquanaut|5968A|98900|2018||
Patek Philippe|Calatrava|5227G|26400|2013||
Patek Philippe|Annual Calendar|4947/1A|44900|2022||
Patek Philippe|World Time|5230G|41300|2016||
Audemars Piguet|Royal Oak|15500ST|36800|2019|2022|blue,black
Audemars Piguet|Royal Oak|15400ST|31500|2012|2019|blue,black
Audemars Piguet|Royal Oak|15510OR|71500|2022||
Audemars Piguet|Royal Oak|26240ST|47200|2022||blue,green
Audemars Piguet|Royal Oak|26331ST|41900|2017|2022|blue,black
Audemars Piguet|Royal Oak|15550ST|38900|2022||
Audemars Piguet|Royal Oak|77350ST|28700|2019||blue,grey
Audemars Piguet|Royal Oak Offshore|26420SO|27900|2021||
Audemars Piguet|Royal Oak Offshore|15720ST|24600|2021||
Audemars Piguet|Royal Oak Offshore|26470ST|22800|2014|2021|
Audemars Piguet|Royal Oak Jumbo|15202ST|82500|2012|2022|
Vacheron Constantin|Overseas|4500V/110A-B128|26700|2016||
Vacheron Constantin|Overseas|5500V/110A-B148|29400|2016||
Vacheron Constantin|Overseas|7900V/110A-B334|30900|2019||
Omega|Speedmaster|310.32.42.50.02.001|10900|2020||
Omega|Speedmaster|310.30.42.50.04.001|6900|2024||
Omega|Seamaster|210.30.42.20.01.001|3950|2018||
Omega|Seamaster|210.30.42.20.03.001|3950|2018||
Omega|Seamaster Aqua Terra|220.10.41.21.03.001|4350|2017||
Cartier|Santos|WSSA0029|5650|2018||
Cartier|Santos|WSSA0062|6900|2023||
Cartier|Santos|WSSA0030|7300|2020||
Cartier|Tank|WSTA0041|2850|2021||
Cartier|Ballon Bleu|W69012Z4|4500|2012||
Cartier|Panthère|WSPN0007|3900|2017||
Tudor|Black Bay 58|79030B|3150|2020||
Tudor|Black Bay GMT|79830RB|3050|2018||
Tudor|Pelagos 39|25407N|3450|2022||
Tudor|Black Bay|79230N|2600|2016||
IWC|Portugieser|IW3717-01|5900|2020||
IWC|Big Pilot|IW5010-01|8200|2021||
Panerai|Luminor|PAM01312|5400|2016||
Panerai|Luminor Due|PAM00914|4300|2019||
Jaeger-LeCoultre|Reverso|Q3978480|7600|2018||
Breitling|Navitimer|AB0138211B1P1|6900|2022||
Grand Seiko|Heritage|SBGA211|4700|2017||
Hublot|Big Bang|441.NM.1170.RX|9800|2019||
A. Lange & Söhne|Lange 1|191.032|28900|2016||
A. Lange & Söhne|Odysseus|363.179|41500|2019||
`;

export const WATCHES: readonly DemoWatch[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [brand = "", model = "", reference = "", worth, first, last, dials] = line.split("|");
    return {
      brand,
      model,
      reference,
      worthEur: Number(worth),
      firstYear: Number(first),
      ...(last ? { lastYear: Number(last) } : {}),
      dials: dials ? dials.split(",") : [],
    };
  });
