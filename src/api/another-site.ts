/** The headers by which a browser names the site of the calling page. */
export interface SentBy {
  host: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Whether the headers of a browser name another site. Programs other than browsers do not send these headers. */
export function isFromAnotherSite(request: SentBy, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && !ownSites.has(String(site))) return true;
  const { origin } = request.headers;
  if (origin === undefined) return false;
  const sender = URL.parse(String(origin));
  return sender?.origin !== new URL(baseUrl).origin && sender?.host !== request.host;
}
