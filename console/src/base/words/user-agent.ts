/** The names that browsers give themselves; the first that fits, because most also name others. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
];

const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser and system of a user agent, such as `Chrome 149 on macOS`. Null: neither is known. */
export function browserOf(userAgent: string): string | null {
  const browser = browsers.find(([, sign]) => sign.test(userAgent));
  const system = systems.find(([, sign]) => sign.test(userAgent));
  const version = browser?.[1].exec(userAgent)?.[1];
  const parts = [browser && `${browser[0]} ${version}`, system?.[0]].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' on ');
}
