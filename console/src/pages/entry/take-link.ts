const prefix = '#link=';

/** Takes a link's token out of the address, so that it stays neither in the bar nor in the history. */
export function takeLink({ location, history }: Window): string | undefined {
  if (!location.hash.startsWith(prefix)) return undefined;
  const token = location.hash.slice(prefix.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
