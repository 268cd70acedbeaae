import type { EffectName } from '../rules/effect-name.ts';

/** The idempotency key of one step of an effect. */
export const keyOfName = (
  { applicationId, checkoutId, part, try: number }: EffectName,
  step: string,
): string => [applicationId, checkoutId, part, number, step].join(':');

/** The name of an effect as the provider keeps it. */
export const metadataOf = ({ applicationId, checkoutId, part, try: number }: EffectName) => ({
  applicationId,
  checkoutId,
  part,
  try: String(number),
});

/** Whether an object of the provider has this name. */
export function isNamed(
  metadata: Readonly<Record<string, string>> | null,
  name: EffectName | null,
): boolean {
  if (name === null) return false;
  return Object.entries(metadataOf(name)).every(([key, value]) => metadata?.[key] === value);
}
