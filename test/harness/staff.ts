/** Staff at work on a service, in the simulation or on the operator's own homes. */
import assert from 'node:assert/strict';
import { materializeReservations } from '../../src/bookings/store/records.ts';
import type { StaffContext } from '../../src/bookings/index.ts';
import type { Reservation } from '../../src/contract/partner/schemas/reservation.ts';
import type { Environment } from '../../src/contract/wire.ts';
import { staffContext } from '../../src/program/staff-context.ts';
import type { Partner, OpenCheckout } from './partner.ts';
import { startTestService, type TestReplacements, type TestService } from './service.ts';

/** The actor of the tests in the audit trail. */
export const actor = 'test:staff';

/** The environments whose reservations staff change: with nights of their own, and without. */
export const staffEnvironments = ['simulation', 'test'] as const satisfies Environment[];

/** A confirmed reservation, and how it was made. */
export interface Reserved {
  open: OpenCheckout;
  reference: string;
}

/** A service with a partner, and what staff need. */
export interface StaffAtWork {
  service: TestService;
  staff: StaffContext;
  partner: Partner;
  /** A confirmed reservation. */
  reserve(suffix?: string, who?: Partner): Promise<Reserved>;
  read(reference: string, who?: Partner): Promise<Reservation>;
}

/** Starts a service in which stays take nights, or not. */
export async function openStaff(
  environment: (typeof staffEnvironments)[number],
  replacements: TestReplacements = {},
  env: NodeJS.ProcessEnv = {},
): Promise<StaffAtWork> {
  const service = await startTestService(
    { LATCHKEY_ENVIRONMENT: environment, ...env },
    replacements,
  );
  const partner = await service.partner();
  return {
    service,
    staff: staffContext(service.database, environment, () => undefined),
    partner,
    async reserve(suffix, who = partner) {
      const open = await who.submittedCheckout(suffix);
      const { reference } = await who.statusOnce(open, ['confirmed']);
      assert.ok(reference);
      // Before that, partners read it as it was confirmed.
      await materializeReservations(service.database, 1_000);
      return { open, reference };
    },
    read: (reference, who = partner) =>
      who.succeed('reservation.reservation.get', { params: { reference } }),
  };
}
