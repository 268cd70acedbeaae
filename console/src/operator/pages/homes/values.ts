/** Reads and writes members of a draft by their path, without changing it. */

export type Value = Record<string, unknown>;

export function valueAt(value: Value, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Value | undefined)?.[name], value);
}

/** The same value with another member. Undefined: without it. */
export function withMember(value: Value, name: string, member: unknown): Value {
  if (member !== undefined) return { ...value, [name]: member };
  const { [name]: _, ...others } = value;
  return others;
}

/** The same value with something else at a path. */
export function withValueAt(value: Value, path: readonly string[], member: unknown): Value {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return withMember(value, name, member);
  return withMember(value, name, withValueAt((value[name] ?? {}) as Value, rest, member));
}
