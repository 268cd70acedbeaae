import { identityOf } from './identity.ts';
import type { SimulatedPromotion } from './shapes.ts';

const unlimited = {
  currency: null,
  stayFrom: null,
  stayTo: null,
  bookFrom: null,
  bookTo: null,
  listingIds: null,
  collectionIds: null,
  minNights: 1,
  maxUses: null,
} as const;

/** The codes of the simulation: one for each way in which a promotion can be limited. */
export const promotions: SimulatedPromotion[] = [
  {
    ...unlimited,
    code: 'WELCOME10',
    label: '10 % off, to get to know us',
    kind: 'percent',
    off: 1000,
  },
  {
    ...unlimited,
    code: 'SLOWSEA15',
    label: '15 % off homes in Portugal',
    kind: 'percent',
    off: 1500,
    collectionIds: [identityOf('collection', 'portugal-and-its-islands')],
  },
  {
    ...unlimited,
    code: 'FIFTYOFF',
    label: '50 dollars off',
    kind: 'amount',
    off: 5000,
    currency: 'USD',
    minNights: 2,
  },
  {
    ...unlimited,
    code: 'LONGSTAY',
    label: '12 % off a week or more',
    kind: 'percent',
    off: 1200,
    minNights: 7,
  },
  {
    ...unlimited,
    code: 'ENDED2020',
    label: '20 % off, until the end of 2020',
    kind: 'percent',
    off: 2000,
    bookFrom: '2020-01-01',
    bookTo: '2020-12-31',
  },
  {
    ...unlimited,
    code: 'FIRST100',
    label: '25 % off for the first hundred bookings',
    kind: 'percent',
    off: 2500,
    maxUses: 100,
  },
];
