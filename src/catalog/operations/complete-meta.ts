import type { Meta } from '../../contract/partner/schemas/primitives.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { CatalogContext } from '../context.ts';
import { asOfText } from '../freshness.ts';

/** Spec: LISTING-5. */
export const completeMeta = (context: CatalogContext, asOf: EpochMs): Meta => ({
  asOf: asOfText(asOf),
  completeness: 'complete',
  definitionVersion: context.definitionVersion,
});
