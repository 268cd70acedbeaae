/** Changes of a catalog file as people read them: amounts as money with their currency. */
import { moneyText } from '../money-text.ts';

const amounts: ReadonlySet<string> = new Set(['nightly', 'amount', 'maxAmount']);

/** Whether a member is an amount in minor units. `names`: its names from the entry on. */
function isAmount(names: readonly string[]): boolean {
  const [list, parent, name] = [names.at(-3), names.at(-2), names.at(-1)];
  if (parent === 'weekdays') return true;
  return list === 'tiers' && name === 'from' ? true : amounts.has(name ?? '');
}

/** The value with its amounts as money, at any depth. */
export function withMoney(names: readonly string[], value: unknown, currency: string): unknown {
  if (typeof value === 'number') return isAmount(names) ? moneyText(value, currency) : value;
  if (typeof value !== 'object' || value === null) return value;
  const named = (name: string, inner: unknown) => withMoney([...names, name], inner, currency);
  if (Array.isArray(value)) return value.map((inner, at) => named(String(at), inner));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, named(name, inner)]),
  );
}

const shortCharacters = 80;
const shownBeside = 24;
const shownCharacters = 400;

/** How many characters two texts have in common, from the beginning or (`at` counts back) from the end. */
function alike(
  one: string,
  other: string,
  most: number,
  at: (text: string, index: number) => string,
): number {
  let count = 0;
  while (count < most && at(one, count) === at(other, count)) count += 1;
  return count;
}

/** Two texts cut to where they differ, with a little of what is beside it. */
function whereTheyDiffer(one: string, other: string): [string, string] {
  const shorter = Math.min(one.length, other.length);
  if (Math.max(one.length, other.length) <= shortCharacters) return [one, other];
  const before = alike(one, other, shorter, (text, index) => text.charAt(index));
  const after = alike(one, other, shorter - before, (text, index) =>
    text.charAt(text.length - 1 - index),
  );
  const from = Math.max(0, before - shownBeside);
  const cut = (text: string): string => {
    const end = Math.min(text.length, text.length - after + shownBeside, from + shownCharacters);
    return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
  };
  return [cut(one), cut(other)];
}

function textOf(path: string, value: unknown, currency: string | null): string {
  const names = path.split('/').slice(1);
  // A line break is a sign, so that a text stays in one line and no letter stands for it.
  if (typeof value === 'string') return JSON.stringify(value.replaceAll('\n', '↵'));
  const shown = currency === null ? value : withMoney(names, value, currency);
  return typeof value === 'number' ? String(shown) : JSON.stringify(shown);
}

/** An entry that changes: a home, a promotion, a block. */
interface ChangedEntry {
  /** Of its amounts after the change; null: it has none. */
  currency: string | null;
  /** Its members that change, each by its pointer. */
  members: readonly { path: string; from: unknown; to: unknown }[];
}

/** A member that changes, in texts. */
interface MemberText {
  path: string;
  from: string;
  to: string;
}

/** The members of an entry that change, each with its value before and after; long ones where they differ. Spec: FILE-16. */
export function memberTexts({ currency, members }: ChangedEntry): MemberText[] {
  const before = members.find(({ path }) => path === '/currency')?.from;
  const currencyBefore = typeof before === 'string' ? before : currency;
  return members.map(({ path, from: old, to: next }) => {
    const [from, to] = whereTheyDiffer(
      textOf(path, old, currencyBefore),
      textOf(path, next, currency),
    );
    return { path, from, to };
  });
}
