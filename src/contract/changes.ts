/** What the feed of changes tells, each with its meaning. */
export const changeKinds = {
  added: 'The home is new in the catalog: read it and its calendar.',
  content: 'What the listing read shows has changed.',
  rates: 'Prices have changed.',
  rules: 'Rules of stay or party, or the terms, have changed.',
  availability: 'Nights were taken or became free.',
  removed: 'The catalog no longer has the home.',
} as const;

/** What has changed in a home. */
export type ChangeKind = keyof typeof changeKinds;
