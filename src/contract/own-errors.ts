import { errors, type ErrorCode, type Refusal } from './errors.ts';

type Messages = Readonly<Partial<Record<ErrorCode, string>>>;
type Reasons<Own extends Messages> = Readonly<
  Partial<Record<keyof Own, Readonly<Record<string, string>>>>
>;

/** The reasons of a code; never: it has none. */
export type ReasonOf<Texts, Code> = Code extends keyof Texts ? keyof Texts[Code] : never;

/**
 * Refusals and texts of an API with messages of its own. `reasons` may mark names as code: documents show them,
 * messages do not.
 */
export function ownErrors<Own extends Messages, Texts extends Reasons<Own>>(
  messages: Own,
  reasons: Texts,
) {
  const messageOf = (code: ErrorCode): string =>
    (messages as Messages)[code] ?? errors[code].message;
  const reasonOf = (code: ErrorCode, reason: string): string | undefined =>
    (reasons as Reasons<Messages>)[code]?.[reason];
  return {
    /** Makes a refusal. The compiler checks the reason against the code. */
    refuse<Code extends keyof Own & ErrorCode>(
      code: Code,
      ...[reason]: ReasonOf<Texts, Code> extends never ? [] : [ReasonOf<Texts, Code>]
    ): Refusal<Code> {
      if (reason === undefined) return { refused: code, message: messageOf(code) };
      const text = reasonOf(code, String(reason)) ?? messageOf(code);
      return { refused: code, message: text.replaceAll('`', ''), details: { reason } };
    },
    /** The message of a code. */
    messageOf,
    /** The meaning of a reason. */
    reasonText: (code: ErrorCode, reason: string): string => reasonOf(code, reason) ?? reason,
  };
}
