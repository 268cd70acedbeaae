import { type PageRoute, reads } from './reads.ts';

/** A page and the values of its parameters. */
interface PageAt {
  route: PageRoute;
  params: Record<string, string>;
}

const isParameter = (part: string): boolean => part.startsWith('$');

/** A part that cannot be decoded stays as it is: no page has it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The parameters, if the parts of a path are those of a route. */
function paramsOf(route: string, parts: readonly string[]): Record<string, string> | undefined {
  const wanted = route.split('/');
  const isThere =
    wanted.length === parts.length &&
    wanted.every((part, at) => (isParameter(part) ? parts[at] !== '' : part === parts[at]));
  if (!isThere) return undefined;
  const values = wanted.map((part, at) => [part.slice(1), parts[at]!] as const);
  return Object.fromEntries(values.filter((_, at) => isParameter(wanted[at]!)));
}

/** The page at a path below `/operator`; one without parameters comes first. Undefined: none that reads something. */
export function pageAt(path: string): PageAt | undefined {
  const parts = (path.replace(/\/$/, '') || '/').split('/').map(decoded);
  const found = (Object.keys(reads) as PageRoute[]).flatMap((route) => {
    const params = paramsOf(route, parts);
    return params ? [{ route, params }] : [];
  });
  return found.find(({ params }) => Object.keys(params).length === 0) ?? found[0];
}
