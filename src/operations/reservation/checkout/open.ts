import { sessionRefusal } from '../../../access/index.ts';
import { refuseBecause, type Refusal } from '../../../contract/errors.ts';
import type { Session } from '../../../db/booking-row.ts';
import { findCheckout, type CommandIdentity, type FoundCheckout } from '../../../db/checkouts.ts';
import type { EpochMs } from '../../../domain/booking.ts';
import type { Application } from '../../../db/applications.ts';
import type { House } from '../../call.ts';

/** What opening a checkout needs of a call. */
export interface CheckoutCall {
  application: Application;
  params: { checkoutId: string };
  sessionCapability: string | undefined;
}

/** Whether the caller presented the capability of this checkout. Spec: Authentication, 8. */
export const sessionOfCallRefusal = (
  house: House,
  call: CheckoutCall,
  session: Session,
  present: EpochMs,
): Refusal<'forbidden'> | null =>
  sessionRefusal(
    house.executor.vault,
    {
      applicationId: call.application.applicationId,
      checkoutId: call.params.checkoutId,
    },
    session,
    call.sessionCapability,
    present,
  );

/** Reads the checkout of a call: it exists for this application, and the session is the right one. */
export async function openCheckout(
  house: House,
  call: CheckoutCall,
  command?: CommandIdentity,
): Promise<FoundCheckout | Refusal<'not_found' | 'forbidden'>> {
  const { applicationId } = call.application;
  const found = await findCheckout(house.executor, applicationId, call.params.checkoutId, command);
  if (!found) return refuseBecause('not_found', 'There is no checkout with this checkoutId.');
  return sessionOfCallRefusal(house, call, found.session, found.present) ?? found;
}
