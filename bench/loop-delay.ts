/** Imported into a service: writes the longest delay of its event loop, in ms, to a file at each SIGUSR2, and begins again. */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env['LOOP_DELAY_FILE'];
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on('SIGUSR2', () => {
  if (file === undefined) return;
  writeFileSync(`${file}.new`, String(delays.max / 1e6));
  renameSync(`${file}.new`, file);
  delays.reset();
});
