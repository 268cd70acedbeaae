/** A process that is killed in the middle of what staff do leaves all of it or nothing. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Failpoint } from '../../src/program/failpoint.ts';
import { plusDays } from '../harness/catalog.ts';
import { assertNightsFit } from '../harness/nights.ts';
import { signalThatEnds } from '../harness/killed-program.ts';
import { testConnection } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { actor, openStaff, staffEnvironments, type StaffAtWork } from '../harness/staff.ts';
import type { Acting } from './acting.ts';
import { acts, type Act } from './acts.ts';

const reason = 'Killed in the middle.';
const program = new URL('acting.ts', import.meta.url);

const everythingText = `SELECT
    (SELECT jsonb_agg(to_jsonb(r) - 'materialized_at' - 'records_due_at' - 'records_attempts'
      ORDER BY r.reference) FROM reservations r) AS reservations,
    (SELECT jsonb_agg(to_jsonb(b) - 'due_at' - 'fence' - 'tries' ORDER BY b.booking_id)
      FROM bookings b) AS bookings,
    (SELECT jsonb_agg(to_jsonb(o) ORDER BY o.occupancy_id) FROM occupancies o) AS nights,
    (SELECT jsonb_agg(to_jsonb(e) ORDER BY e.application_id, e.sequence) FROM events e) AS events,
    (SELECT jsonb_agg(to_jsonb(c) ORDER BY c.application_id) FROM event_counters c) AS counters,
    (SELECT jsonb_agg(to_jsonb(a) ORDER BY a.entry_id) FROM audit_entries a) AS audit`;

/** The statements of each act, in their order. */
const statements = {
  cancel: ['hold-reservation', 'free-nights', 'update-reservation', 'insert-audit-entry'],
  change: ['hold-reservation', 'update-reservation', 'insert-audit-entry'],
  resolve: ['hold-booking', 'transition-booking', 'insert-audit-entry'],
} as const satisfies Record<Act, readonly string[]>;

// Only where stays have nights.
const ofNights: Readonly<Record<Act, readonly string[]>> = {
  cancel: [],
  change: ['lock-stay', 'extend-stay', 'drop-occupancies', 'move-stay'],
  resolve: ['hold-nights'],
};

for (const environment of staffEnvironments) {
  suite(`staff › killed › ${environment}`, () => {
    let at: StaffAtWork;

    before(async () => {
      at = await openStaff(
        environment,
        environment === 'test'
          ? {
              changeSupply: (own) => {
                const isUncertain = (email: string | undefined) => email?.includes('+uncertain');
                return {
                  ...own,
                  confirm: async (booking, signal) =>
                    isUncertain(booking.guest?.email)
                      ? { outcome: 'unknown' }
                      : own.confirm(booking, signal),
                  lookUp: async () => ({ outcome: 'unknown' }),
                };
              },
            }
          : {},
      );
    });
    after(() => at.service.stop());

    async function acting(
      act: Act,
      input: object,
      failpoint: Failpoint,
    ): Promise<NodeJS.Signals | null> {
      const [row] = await sql<{ name: string }>(
        at.staff.database,
        'SELECT current_database() AS name',
      );
      const connection = { ...testConnection(), database: row!.name };
      const argument: Acting = {
        connection,
        environment,
        failpoint,
        act,
        input: { reason, ...input },
      };
      return signalThatEnds(program, argument);
    }

    async function everything() {
      const [row] = await sql(at.staff.database, everythingText);
      return row!;
    }

    const inputs: Readonly<Record<Act, () => Promise<object>>> = {
      cancel: async () => ({ reference: (await at.reserve()).reference }),
      async change() {
        const { reference, open } = await at.reserve();
        const { checkIn, checkOut } = open.quote;
        return { reference, checkIn: plusDays(checkIn, 100), checkOut: plusDays(checkOut, 107) };
      },
      async resolve() {
        const open = await at.partner.submittedCheckout('uncertain');
        await at.partner.statusOnce(open, ['uncertain']);
        return { checkoutId: open.created.checkoutId, as: 'confirmed' };
      },
    };

    for (const act of ['cancel', 'change', 'resolve'] as const) {
      test(`${act} › killed at each statement: nothing; afterwards it can be done`, async () => {
        const input = await inputs[act]();
        const was = await everything();
        const names = [...statements[act], ...(environment === 'test' ? ofNights[act] : [])];
        for (const statement of names) {
          const side = statement === 'insert-audit-entry' ? 'after' : 'before';
          const signal = await acting(act, input, { side, statement, time: 1 });
          assert.equal(signal, 'SIGKILL', `${side}:${statement} was not reached`);
          assert.deepEqual(await everything(), was, statement);
        }
        await acts[act](at.staff, actor, { reason, ...input } as never);
        const done = await everything();
        assert.notDeepEqual(done['audit'], was['audit']);
        assert.notDeepEqual(done['reservations'], was['reservations']);
        assert.notDeepEqual(done['events'], was['events']);
        if (environment === 'test') await assertNightsFit(at.staff.database);
      });
    }
  });
}
