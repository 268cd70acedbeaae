/** What a promotion is for that everybody can use for every stay, as often as they like. */
export const unlimited = {
  stayFrom: null,
  stayTo: null,
  bookFrom: null,
  bookTo: null,
  listingIds: null,
  collectionIds: null,
  minNights: 1,
  maxUses: null,
} as const;
