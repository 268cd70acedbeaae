/**
 * Preloaded into a service (`--import`). On each SIGUSR2, its clock is shifted by the value in a file.
 * `performance.now()` and timers do not change, as when a real clock is set.
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
