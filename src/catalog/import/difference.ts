/** What an import changes, for people and for programs. */

import type { OperatorReplyOf } from '../../contract/operator/operations.ts';
import { memberTexts } from '../../contract/catalog-file/change-text.ts';
import { escaped } from '../../platform/schema-check.ts';

/** A member that changes; null: absent. */
export interface MemberChange {
  /** JSON Pointer within the entry. */
  path: string;
  from: unknown;
  to: unknown;
}

/** An entry that is new, changes, or is no longer for sale. */
export type EntryChange = ChangesOfKind['entries'][number];

const kinds = ['catalog', 'collections', 'listings', 'promotions', 'blocks'] as const;
export type ChangedKind = (typeof kinds)[number];

/** The changes of one kind. */
export type ChangesOfKind =
  OperatorReplyOf<'operator.catalog.import'>['body']['changes']['catalog'];

/** Everything that an import changes. */
export type Difference = Record<ChangedKind, ChangesOfKind> & {
  /** Listings and collections whose place in the order changes. */
  moved: number;
};

/** How many entries of each kind are described; all are counted. */
export const describedEntries = 1_000;

/** Creates the difference of an import that changes nothing. */
export const noDifference = (): Difference => {
  const none = (): ChangesOfKind => ({ added: 0, changed: 0, withdrawn: 0, entries: [] });
  return {
    catalog: none(),
    collections: none(),
    listings: none(),
    promotions: none(),
    blocks: none(),
    moved: 0,
  };
};

/** An entry that changes; absent members: none, and no amounts. */
export const entryChange = (
  change: EntryChange['change'],
  name: string,
  { members = [], currency = null }: Partial<Pick<EntryChange, 'members' | 'currency'>> = {},
): EntryChange => ({ change, name, currency, members });

/** Adds a change. */
export function addChange(difference: Difference, kind: ChangedKind, entry: EntryChange): void {
  const ofKind = difference[kind];
  ofKind[entry.change] += 1;
  if (ofKind.entries.length < describedEntries) ofKind.entries.push(entry);
}

/** Whether an import changes anything. */
export const changesAnything = (difference: Difference): boolean =>
  difference.moved > 0 ||
  kinds.some((kind) => {
    const { added, changed, withdrawn } = difference[kind];
    return added + changed + withdrawn > 0;
  });

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The names of members that are there. */
const membersOf = (value: object): string[] =>
  Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [name]));

/** Lists of different lengths differ as a whole: comparing by index would compare unrelated items. */
const areComparable = (before: unknown, after: unknown): boolean =>
  isObject(before) &&
  isObject(after) &&
  Array.isArray(before) === Array.isArray(after) &&
  (!Array.isArray(before) || before.length === (after as unknown[]).length);

/** Compares two values of JSON; the order of members does not count. Returns the members that differ. */
export function changedMembers(before: unknown, after: unknown, path = ''): MemberChange[] {
  if (before === after) return [];
  if (!areComparable(before, after)) return [{ path, from: before ?? null, to: after ?? null }];
  const old = before as Record<string, unknown>;
  const now = after as Record<string, unknown>;
  return [...new Set([...membersOf(old), ...membersOf(now)])].flatMap((name) =>
    changedMembers(old[name], now[name], `${path}/${escaped(name)}`),
  );
}

const signs = { added: '+', changed: '~', withdrawn: '-' } as const;
function linesOf(kind: ChangedKind, { added, changed, withdrawn, entries }: ChangesOfKind) {
  if (added + changed + withdrawn === 0) return [];
  const left = added + changed + withdrawn - entries.length;
  const counts = [
    [added, 'added'],
    [changed, 'changed'],
    [withdrawn, kind === 'blocks' ? 'removed' : 'withdrawn'],
  ] as const;
  const summary = counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []));
  return [
    `${kind}: ${summary.join(', ')}`,
    ...entries.flatMap((entry) => [
      `  ${signs[entry.change]} ${entry.name}`,
      ...memberTexts(entry).map(({ path, from, to }) => `      ${path}: ${from} → ${to}`),
    ]),
    ...(left > 0 ? [`  … and ${left} more`] : []),
  ];
}

/** Describes a difference as text. */
export function differenceText(difference: Difference): string {
  if (!changesAnything(difference)) return 'Nothing changes.';
  const { moved } = difference;
  return [
    ...kinds.flatMap((kind) => linesOf(kind, difference[kind])),
    ...(moved > 0 ? [`order: ${moved} moved`] : []),
  ].join('\n');
}
