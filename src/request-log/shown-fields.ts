import type { InvalidField } from '../contract/errors.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import type { RowInput } from '../contract/rows.ts';

/** The names of all members that a schema declares, at any depth. */
function namesIn(schema: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  const { properties } = schema as { properties?: object };
  for (const name of Object.keys(properties ?? {})) found.add(name);
  for (const part of Object.values(schema)) namesIn(part, found);
  return found;
}

const namesByRow = new WeakMap<RowInput, ReadonlySet<string>>();

function namesOf(row: RowInput): ReadonlySet<string> {
  const known = namesByRow.get(row) ?? namesIn([row.params, row.query, row.body]);
  namesByRow.set(row, known);
  return known;
}

const index = /^\d{1,4}$/;

/** A pointer whose unknown names are masked, because a caller can send anything as a name. */
function shownPath(path: string, names: ReadonlySet<string>): string {
  const [place = '', ...parts] = path.split('/');
  // Names of headers are the service's own.
  if (place === 'header') return path;
  const shown = parts.map((part) => (names.has(part) || index.test(part) ? part : '{unknown}'));
  return [place, ...shown].join('/');
}

/** The fields of a call that were not valid, without anything that the caller sent. */
export const shownFields = (fields: readonly InvalidField[], row: RowInput): InvalidField[] =>
  fields
    .slice(0, portalLimits.invalidFields)
    .map(({ path, message }) => ({ path: shownPath(path, namesOf(row)), message }));
