/** Reads and writes members of a draft by their path, without changing it. */

export type Value = Record<string, unknown>;

export function valueAt(value: Value, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Value | undefined)?.[name], value);
}

/** The same value with another member. Undefined: without it. */
function withMember(value: Value, name: string, member: unknown): Value {
  if (member !== undefined) return { ...value, [name]: member };
  const { [name]: _, ...others } = value;
  return others;
}

/** The same value with something else at a path. An object that loses its last member is left out. */
export function withValueAt(value: Value, path: readonly string[], member: unknown): Value {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return withMember(value, name, member);
  const inner = withValueAt((value[name] ?? {}) as Value, rest, member);
  const isEmpty = member === undefined && Object.keys(inner).length === 0;
  return withMember(value, name, isEmpty ? undefined : inner);
}

/** The problems of the draft, by JSON Pointer within the home. */
export type Problems = ReadonlyMap<string, string>;
