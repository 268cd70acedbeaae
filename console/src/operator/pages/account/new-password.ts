import { operatorLimits } from '#contract/operator/limits.ts';

const { min, max } = operatorLimits.passwordLength;

/** What a new password needs, as a text below its field. */
export const passwordRule = `At least ${min} characters`;

/** The rules of a form with the fields `password` and `repeated`. */
export const passwordRules = {
  password: (text: string) =>
    text.length >= min && text.length <= max
      ? null
      : `Enter a password of ${min} to ${max} characters`,
  repeated: (text: string, { password }: { password: string }) =>
    text === password ? null : 'This is not the same password',
};
