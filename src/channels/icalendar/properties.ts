/** One line of a component: its name, parameters and value. */

/** A property of a component. */
export interface Property {
  /** The number of its line. */
  line: number;
  /** In upper case. */
  name: string;
  /** Their names in upper case, their values without quotes. */
  parameters: ReadonlyMap<string, string>;
  value: string;
}

/** The properties that decide which nights an event has. A line with a part of such a name has lost something. */
export const datedNames = ['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE'] as const;

const nameForm = /^([A-Z0-9-]+)\s*(?=[;:])/i;

/** The positions of colons that are not between quotes. */
function colonsOf(text: string): number[] {
  const positions: number[] = [];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ':' && !isQuoted) positions.push(at);
  }
  // A quote that does not end.
  return positions.length > 0 ? positions : [text.indexOf(':')];
}

const dateForm = /^\s*(?:\d{4}-?\d{2}-?\d{2}|[+-]?P\d|FREQ=)/i;

/** Some programs write zones with a colon, and without the quotes that it needs: the value follows the last one. */
function valueBegins(text: string): number {
  const colons = colonsOf(text);
  const dated = colons.find((at) => dateForm.test(text.slice(at + 1)));
  return dated ?? colons[0]!;
}

const parameterForm = /;([^=;:"]+)=((?:"[^"]*"|[^;"])*)/g;

/** Reads a line. Null: it has no name and value. */
export function parseProperty(line: number, text: string): Property | null {
  const found = nameForm.exec(text);
  const colon = found ? valueBegins(text) : -1;
  if (!found || colon === -1) return null;
  const parameters = new Map<string, string>();
  for (const [, name, value] of text.slice(found[0].length, colon).matchAll(parameterForm)) {
    parameters.set(name!.trim().toUpperCase(), value!.replaceAll('"', '').trim());
  }
  const name = found[1]!.toUpperCase();
  return { line, name, parameters, value: text.slice(colon + 1).trim() };
}

const known = new Set([...datedNames, 'EXDATE', 'EXRULE', 'DTSTAMP', 'DUE', 'UID', 'URL']);

/** Whether two names differ in one letter, or in two that are exchanged. */
function isNear(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const rest = (text: string, letters: number) => text.slice(same + letters);
  const isExchanged =
    one[same] === other[same + 1] &&
    one[same + 1] === other[same] &&
    rest(one, 2) === rest(other, 2);
  return (
    isExchanged ||
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1)
  );
}

/** Whether a name is what damage has left of a property that decides which nights an event has. */
export const isDamagedName = (name: string): boolean =>
  !known.has(name) &&
  !name.startsWith('X-') &&
  datedNames.some(
    (whole) =>
      isNear(name, whole) || whole.includes(name) || name.endsWith(whole) || name.startsWith(whole),
  );

const readNames: ReadonlySet<string> = new Set([
  ...datedNames,
  'EXDATE',
  'RECURRENCE-ID',
  'UID',
  'SUMMARY',
  'SEQUENCE',
  'STATUS',
  'TRANSP',
  'FREEBUSY',
  'TZID',
]);

/** Whether a property matters for the nights of an event, or may be what damage has left of one. */
export const isRead = (name: string): boolean => readNames.has(name) || isDamagedName(name);
