/** The previews of acts: a row with `previews` has a second one, which shows what the act would do and changes nothing. */
import type { TObject, TOptional, TSchema } from 'typebox';
import * as Type from '../type.ts';
import type { Row } from '../rows.ts';
import type { OperatorRow } from './row.ts';

/** The ID of the preview of an act: `operator.reservation.previewCancel` of `operator.reservation.cancel`. */
export type PreviewIdOf<Id> = Id extends `operator.${infer Noun}.${infer Verb}`
  ? `operator.${Noun}.preview${Capitalize<Verb>}`
  : never;

/** The ID of the preview of an act. */
export function previewIdOf(id: string): string {
  const [surface, noun, verb = ''] = id.split('.');
  return `${surface}.${noun}.preview${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
}

/** What a preview does not ask for: a secret, money or an account is not touched, and nothing is recorded. */
type OnlyOfActs =
  | 'previews'
  | 'command'
  | 'stepUp'
  | 'lasting'
  | 'membersOnly'
  | 'repeatHides'
  | 'path'
  | 'body'
  | 'reply'
  | 'summary'
  | 'description';

type BodyOfPreview<R> = R extends { body: TObject<infer Members> }
  ? {
      body: TObject<{
        [Name in keyof Members]: Name extends 'reason' ? TOptional<Members[Name]> : Members[Name];
      }>;
    }
  : unknown;

/** The row of the preview of an act. */
type PreviewRow<R extends OperatorRow> = Omit<R, OnlyOfActs> &
  BodyOfPreview<R> & {
    path: `${R['path']}/preview`;
    summary: string;
    description: string;
    reply: { 200: R['reply'][keyof R['reply']] };
  };

/** A table with the previews of its acts. */
export type WithPreviews<Table extends Readonly<Record<string, OperatorRow>>> = Table & {
  [Id in keyof Table as Table[Id] extends { previews: true } ? PreviewIdOf<Id> : never]: PreviewRow<
    Table[Id]
  >;
};

/** The body, with the reason optional: what writes nothing needs none. */
function previewBody(body: TObject): TObject {
  const { properties, required: _, $id, ...options } = body as TObject & { $id?: string };
  const { reason } = properties;
  const members = { ...properties, ...(reason && { reason: Type.Optional(reason) }) };
  return Type.Object(members, { ...options, ...($id !== undefined && { $id: `Preview${$id}` }) });
}

function previewRow(row: OperatorRow): OperatorRow {
  const {
    previews: _,
    command: _command,
    stepUp: _stepUp,
    lasting: _lasting,
    membersOnly: _members,
    repeatHides: _repeatHides,
    ...shared
  } = row;
  const [reply = null] = Object.values<TSchema | null>(row.reply as Row['reply']);
  return {
    ...shared,
    path: `${row.path}/preview`,
    summary: `Preview: ${row.summary.charAt(0).toLowerCase()}${row.summary.slice(1)}`,
    description: 'What the act would do now, in the same form as its result. Changes nothing.',
    ...(row.body && { body: previewBody(row.body) }),
    reply: { 200: reply },
  };
}

/** Adds the row of its preview before each act that has one. */
export const withPreviews = <const Table extends Readonly<Record<string, OperatorRow>>>(
  table: Table,
): WithPreviews<Table> =>
  Object.fromEntries(
    Object.entries<OperatorRow>(table).flatMap(([id, row]) =>
      row.previews
        ? [
            [previewIdOf(id), previewRow(row)],
            [id, row],
          ]
        : [[id, row]],
    ),
  ) as WithPreviews<Table>;
