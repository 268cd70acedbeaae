/** Signing in at an OpenID provider: the browser leaves the console and returns with an answer. */
import { account } from '../api/session.ts';
import type { Session } from '../api/types.ts';

const pendingKey = 'latchkey sign-in';

/** Goes to the provider. */
export async function goToProvider(): Promise<void> {
  const { url, pending } = await account.beginAtProvider();
  sessionStorage.setItem(pendingKey, pending);
  window.location.assign(url);
}

/** Signs in with the answer in the URL, and removes it from there. */
export function completeAtProvider(): Promise<Session> {
  const { location, history } = window;
  const query = location.search.slice(1);
  const pending = sessionStorage.getItem(pendingKey) ?? '';
  sessionStorage.removeItem(pendingKey);
  history.replaceState(history.state, '', location.pathname);
  return account.completeAtProvider(query, pending);
}
