/** What a row need not say, because it follows: its errors where it has none of its own, and the members of its path. */
import * as Type from './type.ts';
import type { Row } from './rows.ts';

/** The names in braces of a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The input of a path; its members have one meaning in a whole surface. */
type PathInput<Path extends string, Members extends Type.TProperties> = [NamesIn<Path>] extends [
  never,
]
  ? unknown
  : { params: Type.TObject<{ [Name in NamesIn<Path>]: Members[Name] }> };

/** A row as a table states it. */
export type StatedRow<R extends Row> = Omit<R, 'params' | 'errors'> & { errors?: R['errors'] };

/** A row with what follows. */
type CompleteRow<R, Members extends Type.TProperties> = R &
  (R extends { errors: readonly string[] } ? unknown : { errors: readonly [] }) &
  (R extends { path: infer Path extends string } ? PathInput<Path, Members> : unknown);

function pathInput(path: string, members: Type.TProperties): { params?: Type.TObject } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  return { params: Type.Object(Object.fromEntries(names.map((name) => [name, members[name]!]))) };
}

/** The rows of a surface, complete. `members`: what can be in a path, by name. */
export const completeRows = <
  const Table extends Readonly<Record<string, StatedRow<Row>>>,
  Members extends Type.TProperties,
>(
  members: Members,
  table: Table,
) =>
  Object.fromEntries(
    Object.entries(table).map(([id, row]) => [
      id,
      { errors: [], ...row, ...pathInput(row.path, members) },
    ]),
  ) as unknown as { [Id in keyof Table]: CompleteRow<Table[Id], Members> };

/** The rows of a subject, which have one tag. */
export const tagged = <const Table extends Readonly<Record<string, object>>>(
  tag: string,
  table: Table,
) =>
  Object.fromEntries(Object.entries(table).map(([id, row]) => [id, { tag, ...row }])) as {
    [Id in keyof Table]: Table[Id] & { tag: string };
  };
