import { type PartnerActor, sessionRefusal, type Session } from '../access/index.ts';
import type { SessionPort } from '../api/surface.ts';
import { findCheckoutStatus } from './store/checkouts.ts';
import type { EpochMs } from '../contract/time.ts';
import type { BookingContext } from './context.ts';

/** The session of a checkout, and the database's time of the read. */
interface StoredSession {
  session: Session;
  now: EpochMs;
}

function isStoredSession(found: unknown): found is StoredSession {
  return typeof found === 'object' && found !== null && 'session' in found && 'now' in found;
}

const asId = (id: unknown): string | undefined => (typeof id === 'string' ? id : undefined);

/** Sessions of checkouts, as the kernel checks them. Spec: SESSION-4. */
export const checkoutSessions = ({
  executor,
}: Pick<BookingContext, 'executor'>): SessionPort<PartnerActor, StoredSession> => ({
  ownerOf: ({ params, body }) => asId(params['checkoutId']) ?? asId(body['checkoutId']),
  loaded: (found) => (isStoredSession(found) ? found : null),
  find: ({ applicationId }, checkoutId) => findCheckoutStatus(executor, applicationId, checkoutId),
  refusal: ({ applicationId }, checkoutId, { session, now }, given) =>
    sessionRefusal(executor.vault, { applicationId, checkoutId }, session, given, now),
});
