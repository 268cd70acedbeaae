/** The homes that an entry of the audit trail is about. */

const listingOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null || !('listing' in value)) return [];
  return typeof value.listing === 'string' ? [value.listing] : [];
};

/** The slugs of homes that details name: their own `listing`, that of each member of their lists, and texts in `homes`. */
export function homesOfDetails(details: Readonly<Record<string, unknown>>): string[] {
  const lists = Object.values(details).filter((value) => Array.isArray(value));
  const slugs = Array.isArray(details['homes']) ? details['homes'] : [];
  const named = slugs.filter((one) => typeof one === 'string');
  return [...new Set([...listingOf(details), ...lists.flat().flatMap(listingOf), ...named])];
}
