/**
 * Loaded into a service before everything else (`--import`): its clock goes wrong by what a file says, from
 * each SIGUSR2 on. `performance.now()` and timers go on as they were, as they do where a clock is set.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env['LATCHKEY_TEST_CLOCK_FILE'] ?? '';
let shiftMs = 0;

class ShiftedDate extends RealDate {
  constructor(...values: [] | [number]) {
    super(...((values.length === 0 ? [RealDate.now() + shiftMs] : values) as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
process.on('SIGUSR2', () => {
  shiftMs = Number(readFileSync(file, 'utf8'));
});
