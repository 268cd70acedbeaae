const prefix = '#link=';

/** Whether the URL contains the token of a link. */
export const hasLink = ({ location }: Window): boolean => location.hash.startsWith(prefix);

/** Removes the token from the URL, so that it is neither in the address bar nor in the history. */
export function takeLink(window: Window): string | undefined {
  if (!hasLink(window)) return undefined;
  const { location, history } = window;
  const token = location.hash.slice(prefix.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
