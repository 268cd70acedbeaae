/** Where generated homes are: real places, with the money and the seasons of each. */

import type { Tax } from '../../contract/catalog-file.ts';

/** Which part of the year is busy. */
export type Climate = 'northern summer' | 'southern summer' | 'snow' | 'winter sun';

/** The words of which names are made. */
export type Tongue =
  | 'english'
  | 'portuguese'
  | 'french'
  | 'italian'
  | 'german'
  | 'spanish'
  | 'japanese'
  | 'nordic'
  | 'arabic';

export interface Region {
  slug: string;
  name: string;
  timeZone: string;
  currency: string;
  climate: Climate;
  tongue: Tongue;
  /** The usual price of a night for two, in minor units. */
  nightly: number;
  taxes: Tax[];
  towns: readonly (readonly [town: string, latitude: number, longitude: number])[];
}

const vat = (percent: number, label = 'VAT'): Tax => ({
  label,
  on: ['accommodation', 'cleaning', 'fees'],
  percent,
});
const cityTax = (amount: number, maxNights = 7): Tax => ({
  label: 'City tax',
  per: 'guest_night',
  amount,
  adultsOnly: true,
  maxNights,
});
const occupancyTax = (percent: number): Tax => ({
  label: 'Occupancy tax',
  on: ['accommodation', 'cleaning'],
  percent,
  staysUpToNights: 30,
});

/** Name, time zone, currency, climate, tongue and usual price; below, the towns with latitude and longitude. */
const table = `
Alentejo Coast | Europe/Lisbon | EUR | northern summer | portuguese | 14000
  Comporta 38.38 -8.786, Vila Nova de Milfontes 37.725 -8.782, Zambujeira do Mar 37.524 -8.785, Porto Covo 37.852 -8.791
Brittany | Europe/Paris | EUR | northern summer | french | 15500
  Dinan 48.454 -2.047, Carnac 47.585 -3.079, Roscoff 48.726 -3.987, Quiberon 47.484 -3.12
Tuscany | Europe/Rome | EUR | northern summer | italian | 18500
  Cortona 43.275 11.988, Montalcino 43.058 11.489, Lucca 43.843 10.504, San Gimignano 43.468 11.043
Engadine | Europe/Zurich | CHF | snow | german | 27500
  Scuol 46.797 10.298, Zuoz 46.602 9.96, Pontresina 46.495 9.901
Tyrol | Europe/Vienna | EUR | snow | german | 19000
  Alpbach 47.399 11.944, Lech 47.209 10.142, Kitzbühel 47.446 12.392
Scottish Highlands | Europe/London | GBP | northern summer | english | 13500
  Ullapool 57.897 -5.161, Plockton 57.339 -5.652, Glencoe 56.683 -5.102, Durness 58.57 -4.747
Cornwall | Europe/London | GBP | northern summer | english | 15000
  St Ives 50.21 -5.49, Mousehole 50.083 -5.538, Port Isaac 50.592 -4.831
Lofoten | Europe/Oslo | NOK | northern summer | nordic | 210000
  Reine 67.932 13.089, Henningsvær 68.152 14.204, Svolvær 68.234 14.568
North Iceland | Atlantic/Reykjavik | ISK | northern summer | nordic | 32000
  Húsavík 66.045 -17.338, Siglufjörður 66.152 -18.908, Akureyri 65.683 -18.1
Kyoto | Asia/Tokyo | JPY | northern summer | japanese | 26000
  Higashiyama 34.998 135.781, Arashiyama 35.009 135.667, Uji 34.884 135.8
Maine Coast | America/New_York | USD | northern summer | english | 24000
  Camden 44.21 -69.064, Stonington 44.156 -68.667, Bar Harbor 44.388 -68.204, Kennebunkport 43.361 -70.477
Hawaii | Pacific/Honolulu | USD | winter sun | english | 31000
  Hanalei 22.204 -159.501, Paia 20.903 -156.369, Waimea 20.023 -155.672
Nova Scotia | America/Halifax | CAD | northern summer | english | 21000
  Lunenburg 44.378 -64.309, Mahone Bay 44.449 -64.382, Baddeck 46.1 -60.754
Baja California Sur | America/Mazatlan | MXN | winter sun | spanish | 340000
  Todos Santos 23.446 -110.223, La Paz 24.142 -110.313, Loreto 26.012 -111.348
Andalusia | Europe/Madrid | EUR | northern summer | spanish | 12500
  Frigiliana 36.791 -3.895, Vejer de la Frontera 36.253 -5.963, Ronda 36.742 -5.166
Western Cape | Africa/Johannesburg | ZAR | southern summer | english | 260000
  Franschhoek -33.912 19.117, Paternoster -32.811 17.889, Kalk Bay -34.128 18.449, Prince Albert -33.224 22.03
Tasmania | Australia/Hobart | AUD | southern summer | english | 26500
  Bicheno -41.875 148.302, Cygnet -43.159 147.075, Stanley -40.763 145.295
Muscat and the Hajar | Asia/Muscat | OMR | winter sun | arabic | 62500
  Muttrah 23.617 58.566, Nizwa 22.933 57.531, Sur 22.567 59.529
Djerba | Africa/Tunis | TND | northern summer | arabic | 285500
  Houmt Souk 33.876 10.857, Erriadh 33.821 10.854, Midoun 33.808 10.992
Azores | Atlantic/Azores | EUR | northern summer | portuguese | 11000
  Furnas 37.772 -25.312, Madalena do Pico 38.535 -28.524, Angra do Heroísmo 38.655 -27.217
`;

const taxesOf: Readonly<Record<string, Tax[]>> = {
  'alentejo-coast': [vat(6), cityTax(200)],
  brittany: [vat(10, 'TVA'), cityTax(165, 90)],
  tuscany: [vat(10, 'IVA'), cityTax(250)],
  engadine: [vat(3.8, 'MWST'), cityTax(400, 90)],
  tyrol: [vat(10, 'USt'), cityTax(350, 90)],
  'scottish-highlands': [vat(20)],
  cornwall: [vat(20)],
  lofoten: [vat(12, 'MVA')],
  'north-iceland': [vat(11, 'VSK'), { label: 'Accommodation tax', per: 'night', amount: 800 }],
  kyoto: [vat(10, 'Consumption tax'), { label: 'Lodging tax', per: 'guest_night', amount: 200 }],
  'maine-coast': [occupancyTax(9)],
  hawaii: [occupancyTax(13.25), vat(4.5, 'General excise tax')],
  'nova-scotia': [vat(14, 'HST')],
  'baja-california-sur': [vat(16, 'IVA'), occupancyTax(4)],
  andalusia: [vat(10, 'IVA')],
  'western-cape': [vat(15), { label: 'Tourism levy', on: ['accommodation'], percent: 1 }],
  tasmania: [vat(10, 'GST')],
  'muscat-and-the-hajar': [vat(5), { label: 'Tourism fee', on: ['accommodation'], percent: 4 }],
  djerba: [vat(7, 'TVA'), cityTax(4_000)],
  azores: [vat(4), cityTax(200, 3)],
};

const town = (text: string): Region['towns'][number] => {
  const [, name, latitude, longitude] = /^(.+) (\S+) (\S+)$/.exec(text)!;
  return [name!, Number(latitude), Number(longitude)];
};

function region([first, towns]: readonly string[]): Region {
  const [name, timeZone, currency, climate, tongue, nightly] = first!.split(' | ');
  const slug = name!.toLowerCase().replaceAll(' ', '-');
  return {
    slug,
    name: name!,
    timeZone: timeZone!,
    currency: currency!,
    climate: climate as Climate,
    tongue: tongue as Tongue,
    nightly: Number(nightly),
    taxes: taxesOf[slug]!,
    towns: towns!.trim().split(', ').map(town),
  };
}

/** The regions, in the order in which a random choice counts them. */
export const regions: readonly Region[] = table
  .trim()
  .split(/\n(?! )/)
  .map((lines) => region(lines.split('\n')));

/** The words of names: `%` is replaced by one of the second list. */
export const names: Readonly<Record<Tongue, readonly [forms: string[], words: string[]]>> = {
  english: [
    ['% Cottage', 'The % House', '% Barn', 'Old % Farm', '% Loft', '% Lodge', 'Little %'],
    'Heron Juniper Lantern Mill Harbour Thistle Orchard Ferry Curlew Slate Rowan Salt Bracken Anchor Whin Gull Plum Weaver'.split(
      ' ',
    ),
  ],
  portuguese: [
    ['Casa da %', 'Monte da %', 'Quinta da %', 'Palheiro da %', 'Pátio da %'],
    'Maré Figueira Vinha Serra Nora Ribeira Alfarroba Oliveira Lua Cegonha Amêndoa Eira'.split(' '),
  ],
  french: [
    ['Maison du %', 'La Ferme du %', 'Le Clos du %', 'Longère du %', 'Le Mas du %'],
    'Phare Moulin Verger Puits Tilleul Goéland Lavoir Chêne Figuier Marais Vent Port'.split(' '),
  ],
  italian: [
    ['Casa del %', 'Podere del %', 'Villa del %', 'Fienile del %', 'Torre del %'],
    'Noce Gelso Fico Vento Sole Mulino Falco Pozzo Rosmarino Cipresso Grano Fabbro'.split(' '),
  ],
  german: [
    ['Haus %', 'Chalet %', 'Stadel %', 'Hof %', 'Stube %'],
    'Enzian Lärche Murmel Arve Föhn Bergahorn Steinbock Alpenrose Wetterhorn Sennerin Tannberg Silberdistel'.split(
      ' ',
    ),
  ],
  spanish: [
    ['Casa del %', 'Cortijo del %', 'Patio del %', 'Finca del %', 'Torre del %'],
    'Limón Olivo Viento Agua Naranjo Almendro Faro Molino Jazmín Sol Mar Cactus'.split(' '),
  ],
  japanese: [
    ['%-an', '%-tei', '% Machiya', '% House', '%-no-ma'],
    'Matsu Momiji Tsuki Hotaru Kawa Sakura Take Yuki Asagi Nishiki Ume Koi'.split(' '),
  ],
  nordic: [
    ['%bu', '%hus', '% Rorbu', '%stua', '% Cabin'],
    'Torsk Fjell Lunde Nordlys Havn Bjørk Ørne Ravn Sild Måne Tinde Vind'.split(' '),
  ],
  arabic: [
    ['Dar %', 'Beit %', 'Riad %', 'Houch %'],
    'Yasmin Zaytoun Qamar Nakheel Luban Rummana Bahr Warda Nujum Safina Hilal Falaj'.split(' '),
  ],
};
