/**
 * The kinds of operation. Each kind is one ordered list of steps; a handler adds only what is specific
 * to one operation. The steps enforce what a row declares, so no handler can skip it.
 */
import type { ErrorCode, Refusal } from '../contract/errors.ts';
import type { ReplyOfRow, Row } from '../contract/rows.ts';
import type { ReadyBytes, ResponseHeaders } from './response.ts';
import type { Actor, Call, CommandCall, CreateCall } from './call.ts';
import type { Step } from './execution.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Again, AnyHandler, Kind, Operation } from './operation.ts';
import * as step from './steps.ts';

/** The steps of a call with a token until its resources are found, and are the caller's to use. */
const untilFound = [
  step.authenticate,
  step.standing,
  step.grant,
  step.interfere,
  step.parse,
  step.validate,
  step.play,
  step.load,
  step.session,
  step.settlement,
] as const;

/** The order of the steps: the first step that refuses decides. Spec: ERROR-3. */
export const stepsOfKind = {
  /** Reads. Consumes the quota only when the resource exists. */
  read: [...untilFound, step.quota, step.replyWithFound],
  /** Creates a resource: reads, decides, writes. */
  create: [
    ...untilFound,
    step.repeatCreate,
    step.quota,
    step.dailyLimit,
    step.identity,
    step.alive,
    step.decide,
    step.write,
    step.reply,
  ],
  /** Creates a resource that depends on no stored data: writes first, and looks for a repeat only afterwards. */
  createFirst: [
    ...untilFound,
    step.quota,
    step.decide,
    step.writeIfFree,
    step.repeatAfterWrite,
    step.reply,
  ],
  /** Changes a versioned resource. Spec: CALL-8. */
  command: [
    ...untilFound,
    step.repeatCommand,
    step.quota,
    step.dailyLimit,
    step.version,
    step.alive,
    step.stateAllows,
    step.decide,
    step.write,
    step.reply,
  ],
  /** A call of a page used by a person: the quota comes before the body. */
  act: [
    step.authenticate,
    step.standing,
    step.quota,
    step.grant,
    step.sameSite,
    step.membersOnly,
    step.stepUp,
    step.lasting,
    step.slot,
    step.parse,
    step.validate,
    step.load,
    step.session,
    step.settlement,
    step.once,
    step.replyIfCompared,
  ],
  /** Obtains credentials. The only kind that is called without them. */
  enter: [step.quota, step.sameSite, step.parse, step.validate, step.replyWithFound],
} as const satisfies Record<Kind, readonly Step[]>;

type Rows = Readonly<Record<string, Row>>;
type IdOf<Table> = keyof Table & string;

/** The IDs of the rows with a declaration. */
type Declaring<Table extends Rows, Declaration> = {
  [Id in IdOf<Table>]: Table[Id] extends Declaration ? Id : never;
}[IdOf<Table>];

type CreateId<Table extends Rows> = Declaring<Table, { creates: string }>;
type CommandId<Table extends Rows> = Declaring<Table, { versioned: true }>;
type EnterId<Table extends Rows> = Declaring<Table, { public: true }>;
type ReadId<Table extends Rows> = Exclude<
  IdOf<Table>,
  CreateId<Table> | CommandId<Table> | EnterId<Table>
>;

/** The responses that a row allows: by its schemas, with an `ETag` if it declares one. */
export type ResponseOf<R extends Row> = ResponseHeaders &
  (R extends { etag: 'revalidate' } ? ReadyBytes : ReplyOfRow<R> | ReadyBytes) &
  (R extends { etag: string } ? { etag: string } : { etag?: never });

type CodeOf<R extends Row, Common extends ErrorCode> = R['errors'][number] | Common;

// Excludes refusals from an inferred result, so that a code that the row does not declare does not compile.
type NoRefusal<T> = T extends Refusal ? never : T;

/** `Response`: a status and body that the row declares. `Code`: the codes that the row declares. */
export interface ReadHandler<CallType, Found, Response, Code extends ErrorCode> {
  /** The message of 404. */
  notFound?: string;
  /** Reads the resources of the call, before the quota. Undefined: `not_found`. */
  load?(call: CallType): MaybePromise<NoRefusal<Found> | Refusal<Code> | undefined>;
  reply(call: CallType, found: Found): MaybePromise<Response | Refusal<Code>>;
}

/** The check for an existing resource before a create. */
export interface ExistingFound {
  /** The input digest of the resource with this ID; null: there is none. */
  existingDigest: Buffer | null;
}

export interface CreateHandler<CallType, Found, Made, Done, Response, Code extends ErrorCode> {
  /** The message of 404. */
  notFound?: string;
  /** The input to compare for repeats. Default: the body without the ID. */
  inputOf?(call: CallType): unknown;
  /** A first reading from memory; null: none. A refusal based on it is decided again after `load`. */
  remembered?(call: CallType): Found | null;
  /** Reads what the new resource depends on. Undefined: `not_found`. */
  load(call: CallType): MaybePromise<NoRefusal<Found> | Refusal<Code> | undefined>;
  /** Null: what it is made from has not expired, and can still be used. */
  alive(call: CallType, found: Found): Refusal<Code> | null;
  decide(call: CallType, found: Found): MaybePromise<NoRefusal<Made> | Refusal<Code> | Again>;
  /** Writes it. `again`: another call has created the ID in the meantime. */
  write(
    call: CallType,
    made: Made,
    found: Found,
  ): MaybePromise<NoRefusal<Done> | Refusal<Code> | Again>;
  reply(call: CallType, done: Done): MaybePromise<Response>;
  /** The response to a repeat. */
  repeat(call: CallType, found: Found): MaybePromise<Response>;
}

export interface CreateFirstHandler<
  CallType,
  Found,
  Made,
  Done,
  Existing,
  Response,
  Code extends ErrorCode,
> {
  notFound?: string;
  inputOf?(call: CallType): unknown;
  /** Collects what the new resource depends on, without reading stored data. Undefined: `not_found`. */
  load(call: CallType): MaybePromise<NoRefusal<Found> | Refusal<Code> | undefined>;
  decide(call: CallType, found: Found): MaybePromise<NoRefusal<Made> | Refusal<Code>>;
  /** Writes it. `again`: the ID exists. */
  write(call: CallType, made: Made): MaybePromise<Done | Again>;
  reply(call: CallType, done: Done): MaybePromise<Response>;
  /** Reads the existing resource with the ID. */
  findExisting(call: CallType): MaybePromise<Existing | undefined>;
  repeat(call: CallType, existing: Existing): MaybePromise<Response>;
}

export interface CommandHandler<CallType, Found, Change, Done, Response, Code extends ErrorCode> {
  /** The message of 404. */
  notFound?: string;
  /** The input to compare for repeats. Default: the body without the version. */
  inputOf?(call: CallType): unknown;
  /** A first reading from memory; null: none. A refusal based on it is decided again after `load`. */
  remembered?(call: CallType): Found | null;
  /** Reads the resource, and whether the command was sent before. Undefined: `not_found`. */
  load(call: CallType): MaybePromise<Found | undefined>;
  /** The result of a command that took effect before; null: it did not. */
  repeated(found: Found): Done | Refusal<Code> | null;
  versionOf(found: Found): number;
  /** Null: the resource has not expired. */
  alive(call: CallType, found: Found): MaybePromise<Refusal<Code> | Again | null>;
  /** Null: the state has a transition for this command. */
  stateAllows(call: CallType, found: Found): Refusal<Code> | null;
  decide(call: CallType, found: Found): MaybePromise<NoRefusal<Change> | Refusal<Code> | Again>;
  /** Writes the change with one guarded statement. `again`: another call was faster. */
  write(call: CallType, change: Change, found: Found): MaybePromise<Done | Refusal<Code> | Again>;
  reply(call: CallType, done: Done): MaybePromise<Response>;
}

/**
 * Binds the rows of a table to handlers. An operation can be bound only as the kind that its row
 * declares: a row with `creates` as a create, one with `versioned` as a command, one with `public` as
 * `enter`. Responses and error codes are those of the row.
 */
export function kindsFor<Table extends Rows, Context, A extends Actor, Common extends ErrorCode>() {
  type CallOf<Id extends IdOf<Table>> = Call<Id, Table[Id], Context, A>;
  type CreateCallOf<Id extends IdOf<Table>> = CreateCall<Id, Table[Id], Context, A>;
  type CommandCallOf<Id extends IdOf<Table>> = CommandCall<Id, Table[Id], Context, A>;
  type EnterCallOf<Id extends IdOf<Table>> = Call<Id, Table[Id], Context, null>;
  type Code<Id extends IdOf<Table>> = CodeOf<Table[Id], Common>;

  const bound =
    (kind: Kind) =>
    <Id extends string>(id: Id, handler: unknown): Operation<Id, Context> => ({
      id,
      kind,
      handler: handler as AnyHandler,
    });

  return {
    read: bound('read') as <Id extends ReadId<Table>, Found = undefined>(
      id: Id,
      handler: ReadHandler<CallOf<Id>, Found, ResponseOf<Table[Id]>, Code<Id>>,
    ) => Operation<Id, Context>,
    act: bound('act') as <Id extends ReadId<Table>, Found = undefined>(
      id: Id,
      handler: ReadHandler<CallOf<Id>, Found, ResponseOf<Table[Id]>, Code<Id>>,
    ) => Operation<Id, Context>,
    enter: bound('enter') as <Id extends EnterId<Table>>(
      id: Id,
      handler: Pick<
        ReadHandler<EnterCallOf<Id>, undefined, ResponseOf<Table[Id]>, Code<Id>>,
        'reply'
      >,
    ) => Operation<Id, Context>,
    create: bound('create') as <
      Id extends CreateId<Table>,
      Found extends ExistingFound,
      Made,
      Done,
    >(
      id: Id,
      handler: CreateHandler<CreateCallOf<Id>, Found, Made, Done, ResponseOf<Table[Id]>, Code<Id>>,
    ) => Operation<Id, Context>,
    createFirst: bound('createFirst') as <
      Id extends CreateId<Table>,
      Found,
      Made,
      Done,
      Existing extends ExistingFound,
    >(
      id: Id,
      handler: CreateFirstHandler<
        CreateCallOf<Id>,
        Found,
        Made,
        Done,
        Existing,
        ResponseOf<Table[Id]>,
        Code<Id>
      >,
    ) => Operation<Id, Context>,
    command: bound('command') as <Id extends CommandId<Table>, Found, Change, Done>(
      id: Id,
      handler: CommandHandler<
        CommandCallOf<Id>,
        Found,
        Change,
        Done,
        ResponseOf<Table[Id]>,
        Code<Id>
      >,
    ) => Operation<Id, Context>,
  };
}
