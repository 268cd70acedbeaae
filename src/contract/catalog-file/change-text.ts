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

const shownCharacters = 80;

function textOf(path: string, value: unknown, currency: string | null): string {
  const names = path.split('/').slice(1);
  const shown = currency === null ? value : withMoney(names, value, currency);
  const text = typeof value === 'number' ? String(shown) : JSON.stringify(shown);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
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

/** The members of an entry that change, each with its value before and after. Spec: FILE-16. */
export function memberTexts({ currency, members }: ChangedEntry): MemberText[] {
  const before = members.find(({ path }) => path === '/currency')?.from;
  const currencyBefore = typeof before === 'string' ? before : currency;
  return members.map(({ path, from, to }) => ({
    path,
    from: textOf(path, from, currencyBefore),
    to: textOf(path, to, currency),
  }));
}
