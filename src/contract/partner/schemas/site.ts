import * as Type from '../../type.ts';
import { capabilities } from '../../scopes.ts';
import { environments } from '../../wire.ts';
import { Policy } from './primitives.ts';

/** Spec: LISTING-1. */
export const Environment = Type.Enum([...environments], {
  $id: 'Environment',
  description: '`simulation`: no data and no reservation is real.',
});

/** Spec: LISTING-1. */
export const Discovery = Type.Enum(['brand', 'portfolio'], {
  $id: 'Discovery',
  description: 'Whether the homes are offered under one brand or as a portfolio.',
});

/** Spec: ACCESS-1. */
export const Capability = Type.OpenEnum(
  capabilities,
  'Capability',
  'A part of the service that the operator grants to an application. New values may appear within a wire version.',
);

const Collection = Type.ResponseObject('Collection', 'A group of homes.', {
  collectionId: Type.Uuid('Identifies the collection in `collectionId` of lists and searches.'),
  slug: Type.String(),
  name: Type.String(),
  description: Type.Nullable(Type.String()),
});

/** Spec: LISTING-1. */
const Trader = Type.ResponseObject(
  'Trader',
  'Who sells the stays, as the law wants it shown to guests.',
  {
    name: Type.String(),
    address: Type.String(),
    email: Type.Nullable(Type.String()),
    phone: Type.Nullable(Type.String()),
    registrationNumber: Type.Nullable(Type.String()),
  },
);

/** Spec: LISTING-1. */
export const Site = Type.ResponseObject('Site', 'The catalog of the application.', {
  name: Type.Text('Brand name of the catalog.'),
  slug: Type.String(),
  environment: Environment,
  discovery: Discovery,
  capabilities: Type.Array(Capability, {
    description:
      "The application's grants that this deployment can serve. Offer only these to guests.",
  }),
  collections: Type.Array(Collection),
  policies: Type.Array(Policy),
  standards: Type.Array(Policy),
  trader: Type.Nullable(Trader),
});
export type Site = Type.Static<typeof Site>;
