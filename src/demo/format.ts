/** Formats values for the terminal. */

const locale = 'en';

/** Formats an amount in minor units with the decimals of its currency. */
export function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The first characters of a secret: enough to distinguish two, too few to use. */
export const hidden = (secret: string): string =>
  `${secret.slice(0, 6)}… (${secret.length} characters)`;

/** The first characters of a long text. */
export const shortened = (text: string, length = 12): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

/** A date some days from now. */
export const daysAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A value as one line of JSON with spaces. */
export function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'absent';
  const members = Object.entries(value).map(([name, member]) => `"${name}": ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Breaks a text at blanks (or at `breakAt`) into lines of at most `width` characters. */
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
