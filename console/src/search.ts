/** Filters as they stand in the address: plain text, left out where they are not set. */

/** Reads an address as text, so that `status=500` and `state=failed` are of one kind. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

/** Writes what is set. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(search).filter(([, value]) => typeof value === 'string' && value);
  if (set.length === 0) return '';
  return `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}

/** What a page takes from its address. */
export const searchParameters =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [Key in Name]?: string | undefined } => {
    const taken = names.map((name) => [name, search[name]] as const);
    return Object.fromEntries(
      taken.filter(([, value]) => typeof value === 'string' && value !== ''),
    ) as { [Key in Name]?: string };
  };
