import type { Meta } from '../../contract/partner/schemas/primitives.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { CatalogContext } from '../context.ts';

// Many consecutive responses have the same time.
let lastAsOf = { asOf: 0, text: instant(0) };

function asOfText(asOf: EpochMs): string {
  if (asOf !== lastAsOf.asOf) lastAsOf = { asOf, text: instant(asOf) };
  return lastAsOf.text;
}

/** Spec: LISTING-5. */
export const completeMeta = (context: CatalogContext, asOf: EpochMs): Meta => ({
  asOf: asOfText(asOf),
  completeness: 'complete',
  definitionVersion: context.definitionVersion,
});
