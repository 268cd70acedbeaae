/** What a text means that staff type into the one search. */
import { referenceForm } from '../../contract/reference.ts';
import { dateText, dayNumber, isKeptDate } from '../../pricing/index.ts';
import { nameWords, phoneOf, phoneWord } from './guest-identity.ts';

/** What is searched for. Each member is null where the text says nothing of it. */
export interface SearchedFor {
  /** Our reference, from what people write: case, hyphens, `O` and `I` do not matter. */
  reference: string | null;
  email: string | null;
  /** What a phone number is found by. */
  phone: string | null;
  /** Digits that are too few for a phone number. */
  isShortPhone: boolean;
  /** An ID: of a booking or an application. */
  id: string | null;
  /** A day, `YYYY-MM-DD`. */
  night: string | null;
  /** The words of a guest's name. */
  words: readonly string[];
  /** The text without the day: of a home, a partner or a partner's reference. */
  rest: string;
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
// Whole or short, and nothing else: Martin is no month.
const monthNames = months.flatMap((month) => [month, month.slice(0, 3)]).join('|');

interface Found {
  day: string;
  month: string;
  year?: string | undefined;
}

// A day is a word of its own: `4FEB` in an email, an ID or a partner's reference is none.
const asWord = (pattern: string): RegExp =>
  new RegExp(`(?<=^|[\\s,])(?:${pattern})(?=$|[\\s,])`, 'i');

/** How people write a day. Days of week, and day and month without a name or dots, are left out: they are ambiguous. */
const writtenDays = [
  String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})`,
  String.raw`(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.?(?:\s?(?<year>\d{4}))?`,
  String.raw`(?<day>\d{1,2})\.?\s?(?<month>${monthNames})\.?(?:\s(?<year>\d{4}))?`,
  String.raw`(?<month>${monthNames})\s(?<day>\d{1,2})(?:,?\s(?<year>\d{4}))?`,
].map(asWord);

const relativeDays = { yesterday: -1, today: 0, tomorrow: 1 } as const;

const monthOf = (text: string): number =>
  /^\d/.test(text)
    ? Number(text)
    : months.findIndex((month) => month.startsWith(text.toLowerCase())) + 1;

function dateOf(year: number, month: number, day: number): string | null {
  const [monthText, dayText] = [month, day].map((part) => String(part).padStart(2, '0'));
  const date = `${year}-${monthText}-${dayText}`;
  return isKeptDate(date) ? date : null;
}

/** The date that is meant; without a year, the one that is nearest to today. */
function dateMeant({ day, month, year }: Found, today: string): string | null {
  const [dayOfMonth, monthOfYear] = [Number(day), monthOf(month)];
  if (monthOfYear < 1 || monthOfYear > 12 || dayOfMonth < 1 || dayOfMonth > 31) return null;
  if (year !== undefined) return dateOf(Number(year), monthOfYear, dayOfMonth);
  const now = Number(today.slice(0, 4));
  const far = (date: string) => Math.abs(dayNumber(date) - dayNumber(today));
  const [nearest] = [now, now + 1, now - 1]
    .map((one) => dateOf(one, monthOfYear, dayOfMonth))
    .filter((date) => date !== null)
    .toSorted((a, b) => far(a) - far(b));
  return nearest ?? null;
}

/** The day in a text, and the text without it. */
function withoutDay(text: string, today: string): { night: string | null; rest: string } {
  for (const written of writtenDays) {
    const found = written.exec(text);
    const night = found && dateMeant(found.groups as unknown as Found, today);
    if (found && night) return { night, rest: text.replace(written, ' ') };
  }
  const word = Object.keys(relativeDays).find((one) => asWord(one).test(text));
  if (word === undefined) return { night: null, rest: text };
  const night = dateText(dayNumber(today) + relativeDays[word as keyof typeof relativeDays]);
  return { night, rest: text.replace(asWord(word), ' ') };
}

const confused: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };
const lettersOfReference = 8;

/** A reference as it is kept, from one that was heard or written down. Null: the text cannot be one. */
export function referenceMeant(text: string): string | null {
  const compact = text.replaceAll(/[\s-]/g, '').toUpperCase();
  const own = compact.length > lettersOfReference ? compact.replace(/^LK/, '') : compact;
  if (own.length !== lettersOfReference) return null;
  const letters = own.replaceAll(/[OIL]/g, (letter) => confused[letter]!);
  const reference = `LK-${letters.slice(0, 4)}-${letters.slice(4)}`;
  return referenceForm.test(reference) ? reference : null;
}

const phoneForm = /^[+\d][\d\s()./-]*$/;
const leastDigits = 4;
const idForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What a text of staff means. A text can mean several things: all of them are searched for. */
export function searchedFor(text: string, today: string): SearchedFor {
  const given = text.trim().replaceAll(/\s+/g, ' ');
  const { night, rest: other } = withoutDay(given, today);
  const rest = other.trim().replaceAll(/\s+/g, ' ');
  const isPhone = night === null && phoneForm.test(rest) && phoneOf(rest).length >= leastDigits;
  const phone = isPhone ? phoneWord(rest) : null;
  const email = rest.includes('@') ? rest : null;
  const id = idForm.test(rest) ? rest.toLowerCase() : null;
  const isName = email === null && id === null && !isPhone;
  return {
    reference: referenceMeant(rest),
    email,
    phone,
    isShortPhone: isPhone && phone === null,
    id,
    night,
    words: isName ? nameWords(rest) : [],
    rest,
  };
}
