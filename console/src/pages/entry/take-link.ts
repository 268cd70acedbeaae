const prefix = '#link=';

/** Whether the address holds a link's token. */
export const hasLink = ({ location }: Window): boolean => location.hash.startsWith(prefix);

/** Takes a link's token out of the address, so that it stays neither in the bar nor in the history. */
export function takeLink(window: Window): string | undefined {
  if (!hasLink(window)) return undefined;
  const { location, history } = window;
  const token = location.hash.slice(prefix.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
