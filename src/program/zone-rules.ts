import { readCalendarsWhole } from '../channels/index.ts';
import { computeDueDaysAgain } from '../payments/index.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { areNewerRules, noteZoneRules, zoneRules } from '../platform/postgres/zone-rules.ts';
import type { Log } from '../platform/log.ts';

/** What following the rules of time zones needs. */
export interface ZoneRulesContext {
  executor: Executor;
  log: Log;
  /** The rules of this process, unless a test has others. */
  rules?: string;
}

const aMinute = 60_000;

/**
 * When this process has newer rules of time zones than the last one had, computes again what is due in the future. Looks
 * every minute: a process with the old rules may still run. Spec: CLOCK-3.
 */
export const startZoneRules = ({ executor, log, rules = zoneRules }: ZoneRulesContext): Loop =>
  startLoop({
    name: 'follow the rules of time zones',
    everyMs: aMinute,
    log,
    async work(signal) {
      if (!(await areNewerRules(executor, rules))) return;
      const moved = await computeDueDaysAgain(executor, signal);
      await readCalendarsWhole(executor, signal);
      if (signal.aborted) return;
      await noteZoneRules(executor, rules);
      log.info({ rules, moved }, 'due days are computed by newer rules of time zones');
    },
  });
