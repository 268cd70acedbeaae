/** The host of a calendar's URL, with its port. Empty: there is no URL that can be opened. */
export const hostOfUrl = (url: string | null): string => (url && URL.parse(url)?.host) ?? '';
