import type { TSchema } from 'typebox';
import type { ErrorCode, InvalidField } from '../errors.ts';
import type { Row } from '../rows.ts';
import type { SecurityRequirement } from './document.ts';
import type { ReplyHeader } from './headers.ts';
import type { ParameterExamples } from './parameters.ts';

/** The reasons that an operation gives for a code. */
export type Causes = Readonly<Partial<Record<ErrorCode, readonly string[]>>>;

/** An example of each answer, by status. */
export type ReplyExamples = Readonly<Record<number, object | null>>;

/** A row of an operation table, with all that is said about it elsewhere. */
export interface DescribedOperation<R extends Row = Row> {
  id: string;
  row: R;
  notes: readonly string[];
  causes: Causes;
  examples: { request: ParameterExamples & { body?: object }; replies: ReplyExamples };
}

/** A code that a status stands for, with its reasons in one operation. */
export interface Refused {
  code: ErrorCode;
  reasons: readonly string[];
}

/** How a surface's document differs from another's: what its writer cannot know from the rows. */
export interface DocumentStyle<R extends Row> {
  describe(operation: DescribedOperation<R>): string;
  /** Members of the operation that begin with `x-`. */
  extensions(row: R): object;
  security(row: R): SecurityRequirement[];
  bodyText: string;
  /** The schema of an error. */
  envelope: TSchema;
  replyText(row: R, status: number, schema: TSchema | null): string;
  replyHeaders(row: R, status: number): ReplyHeader[];
  /** Every code that an operation can answer, with the reasons that it gives. */
  refusals(row: R, causes: Causes): Refused[];
  refusalHeaders(status: number): readonly ReplyHeader[];
  codeText(code: ErrorCode): string;
  /** `message` of the envelope. */
  message(code: ErrorCode): string;
  reasonText(code: ErrorCode, reason: string): string;
  /** Above the example of a reason. */
  reasonSummary(code: ErrorCode, reason: string): string;
  /** The example of `invalid_input`. */
  invalid: { summary: string; fields: InvalidField[] };
  /** The name under which an error answer is shared; null: it belongs to one operation. */
  sharedName(refused: readonly Refused[], row: R): string | null;
}
