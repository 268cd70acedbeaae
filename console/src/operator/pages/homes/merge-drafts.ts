/** A home as the form began, as it was typed since, and as somebody else has saved it meanwhile. */
import { type Value, valueAt, withValueAt } from './values.ts';

type Path = readonly string[];

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where two values differ: members of objects at any depth, and lists as a whole. */
function changedPaths(before: unknown, after: unknown, path: Path = []): Path[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changedPaths(before[name], after[name], [...path, name]));
}

const isWithin = (one: Path, other: Path): boolean =>
  other.every((name, index) => one[index] === name);

/** What becomes of a form whose home somebody else has saved. */
interface Merged<Home> {
  /** Theirs, with what was typed in the form. */
  merged: Home;
  /** What they have changed, as JSON Pointers. */
  theirs: string[];
  /** What both have changed to different values, as JSON Pointers; `merged` has what was typed. */
  both: string[];
}

const pointerOf = (path: Path): string => `/${path.join('/')}`;

/** Puts what was typed in a form over what somebody else has saved since it began. */
export function mergeDrafts<Home extends object>(
  base: Home,
  draft: Home,
  saved: Home,
): Merged<Home> {
  const theirs = changedPaths(base, saved);
  const typed = changedPaths(base, draft);
  const differs = (path: Path) =>
    changedPaths(valueAt(draft as Value, path), valueAt(saved as Value, path)).length > 0;
  const both = typed.filter(
    (path) =>
      theirs.some((other) => isWithin(path, other) || isWithin(other, path)) && differs(path),
  );
  const merged = typed.reduce<Value>(
    (home, path) => withValueAt(home, path, valueAt(draft as Value, path)),
    saved as Value,
  );
  return { merged: merged as Home, theirs: theirs.map(pointerOf), both: both.map(pointerOf) };
}
