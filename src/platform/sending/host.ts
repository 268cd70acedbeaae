/** The host of a URL as a name or an address: without brackets, and without the dot of the root. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether a name always means this machine. */
export const isLocalName = (host: string): boolean => /^(?:.+\.)?localhost$/.test(host);
