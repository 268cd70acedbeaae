import { isUuid } from '../../platform/uuid.ts';
import type { EffectName, EffectOrigin } from '../rules/effect-name.ts';

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

/** What an object of the provider says of its origin. Null: it names no checkout. */
export function originOf(metadata: Readonly<Record<string, string>> | null): EffectOrigin | null {
  const { applicationId, checkoutId, part = null, try: number } = metadata ?? {};
  if (!isUuid(applicationId ?? '') || !isUuid(checkoutId ?? '')) return null;
  const tries = Number(number ?? Number.NaN);
  return {
    applicationId: applicationId!,
    checkoutId: checkoutId!,
    part,
    try: Number.isSafeInteger(tries) && tries > 0 && tries < 32_768 ? tries : null,
  };
}

/** Whether an object of the provider has this name. */
export function isNamed(
  metadata: Readonly<Record<string, string>> | null,
  name: EffectName | null,
): boolean {
  if (name === null) return false;
  return Object.entries(metadataOf(name)).every(([key, value]) => metadata?.[key] === value);
}
