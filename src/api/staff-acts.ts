/** The acts of staff: a row of the operator's table bound once, for its API and its command. */
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseOperator } from '../contract/operator/errors.ts';
import {
  type OperatorOperationId,
  type operatorOperations,
  type OperatorReplyOf,
  operatorRowOf,
} from '../contract/operator/operations.ts';
import { previewIdOf, type PreviewIdOf } from '../contract/operator/previews.ts';
import type { Role } from '../contract/operator/roles.ts';
import type { OperatorRow } from '../contract/operator/row.ts';
import type { Row } from '../contract/rows.ts';
import type { CommonOwnErrorCode } from '../contract/own-errors.ts';
import type { Actor, AnyCall, Call } from './call.ts';
import { comparing } from './comparing.ts';
import { after, type MaybePromise } from './maybe-promise.ts';
import type { AnyHandler, AnyOperation, Operation } from './operation.ts';
import type { AnyResponse } from './response.ts';
import { Seen } from './seen.ts';

/** Who acts: a member of staff, a script with a token, or an account of the machine on the command line. */
export interface StaffActor extends Actor {
  applicationId: null;
  /** The actor in the audit trail: `staff ada@example.com`, `token backups` or `cli:ada`. */
  name: string;
  role: Role;
  /** Whether it is the token of a script: what it makes must not outlive it. */
  isToken?: true;
  /** False: a member of staff who has not recently proved who it is. */
  isSteppedUp?: boolean;
}

/** The refusal of an act that moves money, to a member of staff who has not recently proved who it is. */
export const stepUpRefusal = ({ isSteppedUp }: StaffActor): Refusal<'forbidden'> | null =>
  isSteppedUp === false ? refuseOperator('forbidden', 'step_up') : null;

type Table = typeof operatorOperations;
type RowOf<Id extends OperatorOperationId> = Table[Id];

type PreviewId = PreviewIdOf<ActWith<{ previews: true }>>;

/** The rows with a declaration. */
export type ActWith<Declared> = {
  [Id in OperatorOperationId]: RowOf<Id> extends Declared ? Id : never;
}[OperatorOperationId];

/** The operations that are bound; previews are bound with their act. */
export type ActId = Exclude<OperatorOperationId, PreviewId>;

/** A validated call of an act. */
export type StaffCall<Id extends OperatorOperationId, Context, A = StaffActor> = Call<
  Id,
  RowOf<Id>,
  Context,
  A
> &
  (RowOf<Id> extends { previews: true }
    ? {
        /** It is a preview: show what would happen, and change nothing. The reason is empty. */
        readonly dryRun: boolean;
      }
    : unknown);

/** The refusals that a row declares. */
export type StaffRefusalOf<Id extends OperatorOperationId> = Refusal<
  RowOf<Id>['errors'][number] | CommonOwnErrorCode | 'forbidden'
>;

type HasOneStatus<Status, All = Status> = Status extends unknown
  ? [All] extends [Status]
    ? true
    : false
  : never;

type BodyOf<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

/** The body of a reply as bytes that are ready to send. */
class PreparedBody {
  readonly bytes: readonly Buffer[];

  constructor(bytes: readonly Buffer[]) {
    this.bytes = bytes;
  }
}

/** A body that an act has written itself, in pieces: a long document. */
export const preparedBody = (bytes: readonly Buffer[]): PreparedBody => new PreparedBody(bytes);

/** Anything but a refusal, which is only allowed where the row declares its code. */
type NotRefused = (object & { refused?: never }) | null | undefined | void;

/** The body of the reply; status and body where a row has several. */
type Returned<Id extends OperatorOperationId> =
  HasOneStatus<OperatorReplyOf<Id>['status']> extends true
    ? null extends BodyOf<Id>
      ? NotRefused
      : BodyOf<Id>
    : OperatorReplyOf<Id>;

type Work<Id extends OperatorOperationId, Context, A> = (
  call: StaffCall<Id, Context, A>,
) => MaybePromise<Returned<Id> | StaffRefusalOf<Id> | PreparedBody>;

/** A function of a subject, without the types of its row. */
export type AnyWork = (call: AnyCall & { dryRun: boolean }) => MaybePromise<unknown>;

/** What of a row says how it is bound. */
interface BoundRow extends Pick<Row, 'reply' | 'public'> {
  previews?: true;
}

/** The response with what a function of a subject has returned. */
function responseOf({ reply }: BoundRow, dryRun: boolean, returned: unknown): AnyResponse {
  const [[status, schema] = [], ...others] = Object.entries(reply);
  if (others.length > 0) return returned as AnyResponse;
  if (returned instanceof PreparedBody) return { status: Number(status), bytes: returned.bytes };
  const body = schema === null ? null : (returned as object);
  return { status: dryRun ? 200 : Number(status), body };
}

const responding = (row: BoundRow, work: AnyWork, dryRun: boolean): AnyHandler => ({
  reply(call) {
    const body = dryRun ? { reason: '', ...call.body } : call.body;
    return after(work({ ...call, body, dryRun }), (returned) =>
      isRefusal(returned) ? returned : responseOf(row, dryRun, returned),
    );
  },
});

/** An act with its preview, if its row has one. */
interface BoundAct<Id extends string, Context> extends Operation<Id, Context> {
  readonly preview: Operation<string, Context> | null;
}

/** Binds a row, without the types of its input and reply. */
export function boundAct(id: string, row: BoundRow, work: AnyWork): BoundAct<string, never> {
  const bound = (operation: string, dryRun: boolean): Operation => ({
    id: operation,
    kind: row.public ? 'enter' : 'act',
    handler: responding(row, work, dryRun),
  });
  return { ...bound(id, false), preview: row.previews ? bound(previewIdOf(id), true) : null };
}

/**
 * Binds rows to functions of a subject that need this context. A function returns the body of the reply, or a
 * refusal that its row declares. For a row without a body, what it returns is not sent; for one with several
 * statuses it is the whole response. `A` and `Ids`: where only some rows have such an actor. Spec: OPERATOR-2.
 */
export const staffActs =
  <Context, A = StaffActor, Ids extends ActId = Exclude<ActId, ActWith<{ public: true }>>>() =>
  <Id extends Ids>(works: { readonly [One in Id]: Work<One, Context, A> }): {
    readonly [One in Id]: BoundAct<One, Context>;
  } =>
    Object.fromEntries(
      Object.entries(works).map(([id, work]) => [
        id,
        boundAct(id, operatorRowOf(id as OperatorOperationId), work as AnyWork),
      ]),
    ) as { readonly [One in Id]: BoundAct<One, Context> };

/** Adds the previews of acts to a table of operations. A preview works with the context of its act. */
export const boundWithPreviews = <Bound extends Readonly<Record<string, Operation<string, never>>>>(
  operations: Bound,
): Bound & { readonly [Id in PreviewId]: Omit<Operation<Id>, 'worksWith'> } =>
  Object.fromEntries(
    Object.entries(operations).flatMap(([id, operation]) => {
      const { preview = null } = operation as Partial<BoundAct<string, never>>;
      return preview
        ? [
            [preview.id, preview],
            [id, operation],
          ]
        : [[id, operation]];
    }),
  ) as Bound & { readonly [Id in PreviewId]: Omit<Operation<Id>, 'worksWith'> };

/** The input of an act, when no HTTP request carries it. */
export interface ActInput {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
}

const noBytes = Buffer.alloc(0);

/** Runs an act for a caller that the machine has already let in: with valid input, and without grants and quotas. */
export async function runAct(
  row: OperatorRow,
  { id, handler }: AnyOperation,
  { context, actor }: { context: unknown; actor: StaffActor },
  input: ActInput,
): Promise<AnyResponse | Refusal> {
  const seen = row.seen === undefined ? null : new Seen(input.body[row.seen] as number | undefined);
  const call: AnyCall = {
    operation: id,
    context,
    actor,
    ...input,
    bytes: noBytes,
    knownTags: [],
    resourceId: '',
    expectedVersion: 0,
    inputDigest: noBytes,
    earlierDigests: [],
    seen,
  };
  return comparing(row, call, () => handler.reply(call, undefined));
}
