import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The paths of all pages of the console or the portal, from its table of routes: `/homes/$listing`. */
export function routesOf(part: 'operator' | 'portal'): string[] {
  const file = path.join(import.meta.dirname, `../../console/src/${part}/routes.tsx`);
  const routes = readFileSync(file, 'utf8').matchAll(/\b(?:path: |page\()'([^']+)'/g);
  return [...routes].map(([, route]) => route!);
}
