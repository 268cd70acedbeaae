/** Filters in the URL: plain strings, left out if not set. */

/** Parses a query as strings, so that `status=500` and `state=failed` have one type. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

/** Writes the filters that are set. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(search).filter(([, value]) => typeof value === 'string' && value);
  if (set.length === 0) return '';
  return `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}

/** Picks the named filters of a page. */
export const searchParameters =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [Key in Name]?: string | undefined } => {
    const taken = names.map((name) => [name, search[name]] as const);
    return Object.fromEntries(
      taken.filter(([, value]) => typeof value === 'string' && value !== ''),
    ) as { [Key in Name]?: string };
  };
