// In a variable, so that the build does not take it for a file of the page.
const here = import.meta.url;

/**
 * The path of the service's base URL; empty: there is none. Scripts are two folders below it, built
 * (`/portal/assets/`) and in development (`/portal/src/`).
 */
export const basePath: string = new URL('../..', here).pathname.replace(/\/$/, '');
