import type { TSchema } from 'typebox';
import type { ErrorCode, InvalidField } from '../errors.ts';
import type { Row } from '../rows.ts';
import type { SecurityRequirement } from './document.ts';
import type { ReplyHeader } from './headers.ts';
import type { ParameterExamples } from './parameters.ts';

/** The reasons that an operation gives for a code. */
export type Causes = Readonly<Partial<Record<ErrorCode, readonly string[]>>>;

/** An example of each response, by status. */
export type ReplyExamples = Readonly<Record<number, object | string | null>>;

/** A row of an operation table, with its notes, reasons and examples. */
export interface DescribedOperation<R extends Row = Row> {
  id: string;
  row: R;
  notes: readonly string[];
  causes: Causes;
  examples: { request: ParameterExamples & { body?: object }; replies: ReplyExamples };
}

/** An error code of a status, with its reasons in one operation. */
export interface Refused {
  code: ErrorCode;
  reasons: readonly string[];
}

/** What differs between the documents of the surfaces and is not in the rows. */
export interface DocumentStyle<R extends Row> {
  describe(operation: DescribedOperation<R>): string;
  /** The `x-` members of the operation. */
  extensions(row: R): object;
  security(row: R): SecurityRequirement[];
  bodyText: string;
  /** The schema of an error. */
  envelope: TSchema;
  replyText(row: R, status: number, schema: TSchema | null): string;
  replyHeaders(row: R, status: number): ReplyHeader[];
  /** Every error code of an operation, with its reasons. */
  refusals(row: R, causes: Causes): Refused[];
  refusalHeaders(status: number): readonly ReplyHeader[];
  codeText(code: ErrorCode): string;
  /** `message` of the envelope. */
  message(code: ErrorCode): string;
  reasonText(code: ErrorCode, reason: string): string;
  /** The summary of the example of a reason. */
  reasonSummary(code: ErrorCode, reason: string): string;
  /** What an example of a reason, or of a code without one, has in its details beside the reason. */
  exampleDetails: Readonly<Record<string, object>>;
  /** The example of `invalid_input`. */
  invalid: { summary: string; fields: InvalidField[] };
  /** The component name of an error response; null: it belongs to one operation. */
  sharedName(refused: readonly Refused[], row: R): string | null;
}
