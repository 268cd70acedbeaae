/** The commands that follow from rows of the operator's table. */
import type { StaffActor } from '../api/staff-acts.ts';
import { runAct } from '../api/staff-acts.ts';
import { type InvalidField, isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import { type CommandNoun, commandNouns, type RowCommand } from '../contract/operator/command.ts';
import { previewIdOf } from '../contract/operator/previews.ts';
import type { OperatorRow } from '../contract/operator/row.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { AnyOperation } from '../api/operation.ts';
import type { CommandLineContext } from '../operator/index.ts';
import { erasuresFile } from '../platform/erasures-file.ts';
import { schemaCheck } from '../platform/schema-check.ts';
import { staffContext } from '../program/staff-context.ts';
import type { CommandContext, Flag, Outcome, WorkingCommand } from './command.ts';
import * as kinds from './flag-kinds.ts';
import { followed } from './followed.ts';
import { flagsOf, inputOf, type RowFlag } from './row-flags.ts';

type Input = ReturnType<typeof inputOf>;
type RowFlags = Readonly<Record<string, RowFlag>>;

const dryRunFlag = {
  kind: kinds.withoutValue,
  required: false,
  description: 'Show what would happen, and change nothing.',
} as const;

const csvFlag = {
  kind: kinds.withoutValue,
  required: false,
  description: 'Print a table as CSV, and nothing else. Not with `--json`.',
} as const;

const previewNote = 'This is a preview: nothing has changed.';

// Nothing to wake: the deliverer of a running service looks every second.
const notWoken = (): void => undefined;

// The calls of the last minute are in the memory of a service: no command prints them.
const unusedQuota: CommandLineContext['quotas']['state'] = ({ quotas }, tier) => ({
  perMinute: quotas[tier],
  remaining: quotas[tier],
  fullInSeconds: 0,
});

// A command sells nothing: it waits for running services where the row says so (`waitsFor`).
const sellsNothing = (): Promise<boolean> => Promise.resolve(true);

/** The dependencies of acts, from those of a command. */
async function contextOf(context: CommandContext): Promise<CommandLineContext> {
  const { database, environment, baseUrl, pictures, loopbackAllowed, calendars, alerts } = context;
  const erasures = erasuresFile(context.dataDir);
  const cardProvider = await context.openProvider();
  return {
    database,
    reads: { run: (work) => work(database) },
    environment,
    baseUrl,
    bookings: staffContext(database, environment, notWoken, cardProvider),
    cardProvider,
    pictures,
    loopbackAllowed,
    calendars,
    alerts,
    erasures,
    quotas: { state: unusedQuota },
    catalog: { followSoon: sellsNothing },
  };
}

// Who can open the database of an installation may do everything.
const actorOf = ({ actor }: CommandContext): StaffActor => ({
  applicationId: null,
  name: actor,
  role: 'administrator',
});

/** What is wrong with an input by the schemas of its row: what the flags together do not allow. */
function invalidFields({ params, query, body }: OperatorRow, input: Input): InvalidField[] {
  const parts = [
    ['path', params, input.params],
    ['query', query, input.query],
    ['', body, input.body],
  ] as const;
  return parts.flatMap(([place, schema, value]) =>
    schema
      ? schemaCheck(schema)(value).map(({ pointer, message }) => ({
          path: `${place}${pointer}`,
          message,
        }))
      : [],
  );
}

/** A refusal that names flags in the place of members. */
function inFlags(flags: RowFlags, refusal: Refusal): Refusal {
  const { fields } = (refusal.details ?? {}) as { fields?: readonly InvalidField[] };
  if (refusal.refused !== 'invalid_input' || refusal.message !== undefined || !fields)
    return refusal;
  const flagAt = (path: string): string => {
    const found = Object.entries(flags).find(
      ([
        ,
        {
          place: [part, ...members],
        },
      ]) => path === `${{ params: 'path', query: 'query' }[part!] ?? ''}/${members.join('/')}`,
    );
    return found ? `--${found[0]}` : path;
  };
  const message = fields.map(({ path, message: text }) => `${flagAt(path)} ${text}.`).join('\n  ');
  return { ...refusal, message };
}

const pick = (document: object, members: readonly string[]): object =>
  Object.fromEntries(Object.entries(document).filter(([name]) => members.includes(name)));

/** The members of a document, or of each item of a list, that a command prints. */
function partOf(document: object, members: readonly string[] | undefined): object {
  if (members === undefined) return document;
  if (!('items' in document) || !Array.isArray(document.items)) return pick(document, members);
  return { ...document, items: document.items.map((item) => pick(item as object, members)) };
}

interface PageOfAny {
  items: object[];
  nextCursor: string | null;
}

const isPage = (document: object): document is PageOfAny =>
  'items' in document && 'nextCursor' in document;

function noteOf(document: object, isDry: boolean, { note }: RowCommand): string | undefined {
  if (isDry) return previewNote;
  if (!isPage(document)) return note;
  return document.nextCursor === null ? note : `There are more: --cursor ${document.nextCursor}`;
}

interface Act {
  row: OperatorRow;
  operation: AnyOperation;
}

/** Runs an act. A page that looked at all it may, and has found fewer than asked for, is continued. */
async function replyTo(
  { row, operation }: Act,
  caller: { context: CommandLineContext; actor: StaffActor },
  input: Input,
): Promise<object | Refusal> {
  const response = await runAct(row, operation, caller, input);
  if (isRefusal(response)) return response;
  // An act without a reply: what it was about.
  const document = response.body ?? input.params;
  if (!isPage(document) || document.nextCursor === null) return document;
  const { limit = operatorLimits.pageSize.default } = input.query as { limit?: number };
  const open = limit - document.items.length;
  if (open <= 0) return document;
  const query = { ...input.query, limit: open, cursor: document.nextCursor };
  const rest = await replyTo({ row, operation }, caller, { ...input, query });
  if (isRefusal(rest)) return rest;
  return { ...rest, items: [...document.items, ...(rest as PageOfAny).items] };
}

const flagOfMember = (flags: RowFlags, member: string): string =>
  Object.entries(flags).find(([, { place }]) => place.at(-1) === member)![0];

/** The members of a body of which at least one must be given, as flags. */
const optionalFlags = ({ body, seen }: OperatorRow, flags: RowFlags): string[] =>
  (body as { minProperties?: number } | undefined)?.minProperties === undefined
    ? []
    : Object.entries(flags)
        .filter(([, { place, required }]) => place[0] === 'body' && !required)
        .filter(([, { place }]) => place.at(-1) !== seen)
        .map(([name]) => name);

const waits: Readonly<Record<string, (isDry: boolean) => Promise<void>>> = {
  homes: (isDry) => followed(!isDry),
};

function commandOfRow(
  id: string,
  row: OperatorRow & { command: RowCommand },
  operations: Operations,
): WorkingCommand {
  const { command } = row;
  const flags = flagsOf(row);
  const shown: Record<string, Flag> = {
    ...flags,
    ...(row.previews && { 'dry-run': dryRunFlag }),
    ...(command.csv && { csv: csvFlag }),
  };
  const act = { row, operation: operations[id]! };
  const preview = row.previews && { row, operation: operations[previewIdOf(id)]! };
  return {
    summary: `${row.summary}.`,
    ...(row.description !== undefined && { description: row.description }),
    row,
    flags: shown as WorkingCommand['flags'],
    needsOneOf: (command.needsOneOf?.map((member) => flagOfMember(flags, member)) ??
      optionalFlags(row, flags)) as never[],
    ...(command.inOrder && {
      inOrder: command.inOrder.map((member) => flagOfMember(flags, member)) as never,
    }),
    ...(command.argument && { argument: flagOfMember(flags, command.argument) as never }),
    changesApplication: command.waitsFor === 'applications',
    ...(row.method === 'GET' && { onlyReads: true as const }),
    async run(context, values: Readonly<Record<string, unknown>>): Promise<Outcome | Refusal> {
      const input = inputOf(flags, values);
      const fields = invalidFields(row, input);
      if (fields.length > 0) return inFlags(flags, refuse('invalid_input', { fields }));
      const isDry = values['dry-run'] === true;
      const caller = { context: await contextOf(context), actor: actorOf(context) };
      const reply = await replyTo(isDry && preview ? preview : act, caller, input);
      if (isRefusal(reply)) return inFlags(flags, reply);
      await waits[command.waitsFor ?? '']?.(isDry);
      return {
        document: partOf(reply, command.prints),
        ...(command.columns && { columns: command.columns }),
        ...(values['csv'] === true && command.csv && { csv: command.csv(reply as never) }),
        note: noteOf(reply, isDry, command),
      };
    },
  };
}

/** The noun, which may have two words, and the verb; empty: the noun alone is the command. */
function nounAndVerb(name: string): [string, string] {
  if (Object.hasOwn(commandNouns, name)) return [name, ''];
  const at = name.lastIndexOf(' ');
  return [name.slice(0, at), name.slice(at + 1)];
}

/** Operations by the ID of their row. */
export type Operations = Readonly<Record<string, AnyOperation>>;

/** The commands of a table: by noun, then by verb. */
export function commandsOf(
  rows: Readonly<Record<string, OperatorRow>>,
  operations: Operations,
): Partial<Record<CommandNoun, Record<string, WorkingCommand>>> {
  const commands: Partial<Record<string, Record<string, WorkingCommand>>> = {};
  for (const [id, row] of Object.entries(rows)) {
    const { command } = row;
    if (!command) continue;
    const [noun, verb] = nounAndVerb(command.name);
    const verbs = (commands[noun] ??= {});
    verbs[verb] = commandOfRow(id, { ...row, command }, operations);
  }
  return commands;
}
