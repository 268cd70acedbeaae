/** The database's clock, as staff see and confirm it. */
import { staffActs } from '../../api/staff-acts.ts';
import { isRefusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import { instant } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { acceptClock, type ClockRow, readClockRow } from '../../platform/postgres/clock-row.ts';
import type { CommandLineContext } from '../context.ts';

/** What the clock shows and what the processes expect, which a process without a line of its own can calculate. */
const view = ({ now, heldSince, lineLessWallMs }: ClockRow) => ({
  databaseTime: instant(now),
  expectedTime: instant(lineLessWallMs === null ? now : Date.now() + lineLessWallMs),
  held: heldSince !== null,
  since: instant(heldSince),
});

/** What staff do about the database's clock. */
export const clockActs = staffActs<CommandLineContext>()({
  'operator.clock.get': async ({ context: { database } }) => view(await readClockRow(database)),
  'operator.clock.confirm': async ({ context: { database }, actor, body: { reason } }) => {
    const confirmed = await auditedChange(
      database,
      async (executor) => {
        const row = await readClockRow(executor);
        if (row.heldSince !== null && (await acceptClock(executor, row.accepted))) return row;
        return refuseStaff('conflict', "The database's clock is believed already.");
      },
      (row) => ({ actor: actor.name, action: 'clock.confirm', details: { reason, ...view(row) } }),
    );
    return isRefusal(confirmed) ? confirmed : view(await readClockRow(database));
  },
});
