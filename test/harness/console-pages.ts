/** The pages of the operator's console, from its table of routes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const routes = path.join(import.meta.dirname, '../../console/src/operator/routes.tsx');

/** The paths of all routes below `/operator`, with their parameters: `/homes/$listing`. */
const consoleRoutes = (): string[] =>
  [...readFileSync(routes, 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(([, found]) => found!);

/**
 * The address of each page that a member of staff can open, below `/operator`. `values`: what stands for each
 * parameter. Throws for a parameter without a value.
 */
export const consolePages = (values: Readonly<Record<string, string>>): string[] =>
  consoleRoutes().map((route) =>
    route.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${route}: no value for ${name}`);
      return encodeURIComponent(value);
    }),
  );
