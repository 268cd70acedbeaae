import {
  type Application,
  type PartnerActor,
  type PartnerCall,
  partnerKinds,
} from '../access/index.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { Capability } from '../contract/scopes.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { Catalog } from './catalog.ts';
import { type CatalogView, type PublishedListing, withEffects } from './view.ts';

/** The dependencies of operations on the catalog. */
export interface CatalogContext {
  executor: Executor;
  catalog: Catalog;
  /** Whether this process has everything that the feed of changes has published. If not, it follows before it answers. */
  isCurrent(): boolean;
  /** `meta.definitionVersion`. Spec: LISTING-5. */
  definitionVersion: string;
  /** The grants of an application that this deployment can serve. */
  servedGrants(application: Application): readonly Capability[];
}

/** The catalog of the application that calls. Spec: LISTING-7. */
export const catalogOf = (call: {
  context: Pick<CatalogContext, 'catalog'>;
  actor: PartnerActor;
}): CatalogView => call.context.catalog.of(call.actor.application.catalogId);

/** A home as an application meets it: as it is published, but for what a scenario changes that it runs. Spec: SANDBOX-4. */
export const metBy = (
  { application: { scenario } }: Pick<PartnerActor, 'application'>,
  published: PublishedListing,
): PublishedListing => (scenario ? withEffects(published, scenario.effects) : published);

/** The kinds of operation of this subject. */
export const { read } = partnerKinds<CatalogContext>();

/** A call on the catalog after validation. */
export type CatalogCall<Id extends OperationId> = PartnerCall<Id, CatalogContext>;
