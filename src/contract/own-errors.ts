import { commonErrors, errors, type ErrorCode, type Refusal } from './errors.ts';

type Messages<Code extends ErrorCode> = Readonly<Partial<Record<Code, string>>>;
type Reasons<Code extends ErrorCode> = Readonly<
  Partial<Record<Code, Readonly<Record<string, string>>>>
>;

/** Codes that every operation of the portal and of the operator's API can return. */
export const commonOwnErrors = commonErrors.filter((code) => code !== 'forbidden');
export type CommonOwnErrorCode = (typeof commonOwnErrors)[number];

/** The meaning of `cross_site`, a reason of both. */
export const crossSiteText = '`Sec-Fetch-Site` or `Origin` names another site.';

/** The reasons that a row gives, by code. */
export type RowReasons<Texts> = {
  readonly [Code in keyof Texts]?: readonly (keyof Texts[Code])[];
};

/** The reasons of a code; never: it has none. */
export type ReasonOf<Texts, Code> = Code extends keyof Texts ? keyof Texts[Code] : never;

/**
 * Refusals and texts of an API with messages of its own. Other codes have the message of the contract. `reasons` may
 * mark names as code: documents show them, messages do not.
 */
export function ownErrors<Own extends ErrorCode, Texts extends Reasons<Own>>(
  messages: Messages<Own>,
  reasons: Texts,
) {
  const messageOf = (code: ErrorCode): string =>
    (messages as Messages<ErrorCode>)[code] ?? errors[code].message;
  const reasonOf = (code: ErrorCode, reason: string): string | undefined =>
    (reasons as Reasons<ErrorCode>)[code]?.[reason];
  return {
    /** Makes a refusal. The compiler checks the reason against the code. */
    refuse<Code extends Own>(
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
