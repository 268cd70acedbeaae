import Type from 'typebox';
import { capabilities } from '../../scopes.ts';
import { environments } from '../../wire.ts';
import { responseOptions, Nullable, Policy, Uuid } from './primitives.ts';

const Collection = Type.Object(
  {
    collectionId: Uuid('Names the collection in `collectionId` of lists and searches.'),
    slug: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
  },
  responseOptions('Collection', 'Homes that belong together.'),
);

/** Spec: Resources, Site. */
export const Site = Type.Object(
  {
    name: Type.String({ description: 'Brand name of the catalog.' }),
    slug: Type.String(),
    environment: Type.Enum([...environments], {
      description: '`simulation`: nothing here is real, and no reservation ever is.',
    }),
    discovery: Type.Enum(['brand', 'portfolio']),
    capabilities: Type.Array(Type.Enum([...capabilities]), {
      description:
        "The application's grants that can be served here. Offer these flows and no others.",
    }),
    collections: Type.Array(Collection),
    policies: Type.Array(Policy),
    standards: Type.Array(Policy),
  },
  responseOptions('Site', 'The catalog that the application is bound to.'),
);
export type Site = Type.Static<typeof Site>;
