/** Promotion codes: why one is refused, for a quote and for a checkout. */
import { promotedCatalog, selling } from './homes.ts';
import type { Refused } from './reply-summary.ts';
import { limitedCode, plainCode, usesIn, type AccountName, type World } from './world.ts';

/** Codes and the reasons of their refusal. */
const refusedCodes: Record<string, Refused | null> = {
  [plainCode]: null,
  [limitedCode]: null,
  ENDED2020: '422 policy_restricted promotion_ended',
};
const unknownCode: Refused = '422 policy_restricted promotion_unknown';

/** The refusal of a code without a use left. */
export const usedUpRefusal: Refused = '422 policy_restricted promotion_ended';

/** Whether a code has no use left for one booking more. */
export const isUsedUp = (world: World, code: string | null): boolean =>
  code === limitedCode && usesIn(world) >= world.limitedUses;

/** Why an application has no such code; null: it has. At the operator's homes, one catalog has them. */
export function codeRefusal(world: World, by: AccountName, code: string): Refused | null {
  const why = refusedCodes[code];
  if (why === undefined) return unknownCode;
  if (world.inventory && (why !== null || selling[by].catalog !== promotedCatalog)) {
    return unknownCode;
  }
  return why;
}
