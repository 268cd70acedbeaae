/** How values look in the terminal. */

const locale = 'en';

/** An amount in minor units, in the currency's own decimals. */
export function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The beginning of a secret: enough to tell two apart, too little to use. */
export const hidden = (secret: string): string =>
  `${secret.slice(0, 6)}… (${secret.length} characters)`;

/** The beginning of a text that is long and of no interest. */
export const shortened = (text: string, length = 12): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

/** A date some days from now. */
export const daysAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A value as JSON with room to breathe, on one line. */
export function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'absent';
  const members = Object.entries(value).map(([name, member]) => `"${name}": ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Breaks a text at its blanks (or where else it may be broken) into lines of at most so many characters. */
export function lines(text: string, width: number, breakAt = / /): string[] {
  const done: string[] = [];
  let line = '';
  for (const word of text.split(breakAt)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      done.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...done, line];
}
