/** The load of a measure, in a process without anything else: the garbage of many homes takes its time elsewhere. */
import { awake, requestsPerSecond } from './load.ts';

/** The arguments of `requestsPerSecond`. */
export type Load = Parameters<typeof requestsPerSecond>;

process.on('message', async (load: Load) => {
  process.send!(await awake(() => requestsPerSecond(...load)));
});
