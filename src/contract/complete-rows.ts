/** What a row need not say, because it follows: the parts of its call, the input of its path, and its errors. */
import * as Type from './type.ts';
import type { Row } from './rows.ts';

/** A row as a table states it: with `GET /v1/site` for its method and path. */
export type StatedRow<R extends Row> = Omit<R, 'method' | 'path' | 'params' | 'errors'> & {
  call: `${R['method']} ${R['path']}`;
  /** Absent: `not_found` if its path names something, and else none. */
  errors?: R['errors'];
};

/** The names in braces of a path. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The input of a path; its members have one meaning in a whole surface. */
type PathInput<Path, Members extends Type.TProperties> = [NamesIn<Path>] extends [never]
  ? unknown
  : { params: Type.TObject<{ [Name in NamesIn<Path>]: Members[Name] }> };

/** The errors of a row that says none. */
type PathErrors<Path> = [NamesIn<Path>] extends [never] ? readonly [] : readonly ['not_found'];

/** A row with what follows. */
type CompleteRow<R, Members extends Type.TProperties> = R extends {
  call: `${infer Method extends Row['method']} ${infer Path extends Row['path']}`;
}
  ? Omit<R, 'call'> & { method: Method; path: Path } & PathInput<Path, Members> &
      (R extends { errors: readonly string[] } ? unknown : { errors: PathErrors<Path> })
  : never;

function pathInput(path: string, members: Type.TProperties): { params?: Type.TObject } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const unknown = names.find((name) => !Object.hasOwn(members, name));
  if (unknown !== undefined) throw new Error(`nothing says what ${unknown} is in ${path}`);
  return { params: Type.Object(Object.fromEntries(names.map((name) => [name, members[name]!]))) };
}

function completeRow({ call, ...row }: StatedRow<Row>, members: Type.TProperties): object {
  const [method = '', path = ''] = call.split(' ');
  const input = pathInput(path, members);
  return { method, path, errors: input.params ? ['not_found'] : [], ...row, ...input };
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
    Object.entries(table).map(([id, row]) => [id, completeRow(row, members)]),
  ) as unknown as { [Id in keyof Table]: CompleteRow<Table[Id], Members> };

/** The rows of a subject, which have one tag. */
export const tagged = <const Table extends Readonly<Record<string, object>>>(
  tag: string,
  table: Table,
) =>
  Object.fromEntries(Object.entries(table).map(([id, row]) => [id, { tag, ...row }])) as {
    [Id in keyof Table]: Table[Id] & { tag: string };
  };
