import { type PartnerCall, partnerKinds } from '../access/index.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { Catalog } from './catalog.ts';

/** What operations on the catalog work with. */
export interface CatalogContext {
  executor: Executor;
  catalog: Catalog;
  /** `meta.definitionVersion`: what the answers mean. Spec: Freshness metadata. */
  definitionVersion: string;
}

/** The kinds of operation of this subject. */
export const { read } = partnerKinds<CatalogContext>();

/** A call on the catalog after validation. */
export type CatalogCall<Id extends OperationId> = PartnerCall<Id, CatalogContext>;
