const prefix = '#invitation=';

/** Removes the secret of an invitation from the URL, so that it is neither in the address bar nor in the history. */
export function takeInvitation({ location, history }: Window): string | undefined {
  if (!location.hash.startsWith(prefix)) return undefined;
  const secret = location.hash.slice(prefix.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return secret;
}
