/** Countries by calling code, as far as dealers post from them. A number shows where its dealer is from. */
const REGIONS: Readonly<Record<string, string>> = {
  "1": "US",
  "7": "RU",
  "20": "EG",
  "27": "ZA",
  "30": "GR",
  "31": "NL",
  "32": "BE",
  "33": "FR",
  "34": "ES",
  "36": "HU",
  "39": "IT",
  "40": "RO",
  "41": "CH",
  "43": "AT",
  "44": "GB",
  "45": "DK",
  "46": "SE",
  "47": "NO",
  "48": "PL",
  "49": "DE",
  "52": "MX",
  "55": "BR",
  "60": "MY",
  "61": "AU",
  "62": "ID",
  "63": "PH",
  "64": "NZ",
  "65": "SG",
  "66": "TH",
  "81": "JP",
  "82": "KR",
  "84": "VN",
  "86": "CN",
  "90": "TR",
  "91": "IN",
  "351": "PT",
  "352": "LU",
  "353": "IE",
  "354": "IS",
  "356": "MT",
  "357": "CY",
  "358": "FI",
  "359": "BG",
  "370": "LT",
  "371": "LV",
  "372": "EE",
  "377": "MC",
  "380": "UA",
  "381": "RS",
  "385": "HR",
  "386": "SI",
  "420": "CZ",
  "421": "SK",
  "423": "LI",
  "852": "HK",
  "853": "MO",
  "886": "TW",
  "961": "LB",
  "962": "JO",
  "965": "KW",
  "966": "SA",
  "971": "AE",
  "972": "IL",
  "973": "BH",
  "974": "QA",
};
/** Made at its first use, which takes milliseconds. */
let regions: Intl.DisplayNames | undefined;
/** By region: asking `regions` costs more than the rest of a row's cell. Some versions of it add to these two. */
const names = new Map([
  ["HK", "Hong Kong"],
  ["MO", "Macao"],
]);

/** `49` is `Germany`; a code that is not listed stays `+999`. */
export function countryOf(callingCode: string): string {
  const region = regionOf(callingCode);
  if (region === undefined) return `+${callingCode}`;
  const known = names.get(region);
  if (known !== undefined) return known;
  regions ??= new Intl.DisplayNames("en-GB", { type: "region" });
  const name = regions.of(region) ?? region;
  names.set(region, name);
  return name;
}

/** Two letters, where there is little room. */
export function regionOf(callingCode: string): string | undefined {
  return Object.hasOwn(REGIONS, callingCode) ? REGIONS[callingCode] : undefined;
}

/** A calling code, or a number that begins with one. No code is the beginning of another. */
export function countryOfNumber(digits: string): string {
  const code = [1, 2, 3]
    .map((length) => digits.slice(0, length))
    .find((each) => regionOf(each) !== undefined);
  return countryOf(code ?? digits);
}
