/** Loads a server from a process of its own, so that the garbage collection of a bench with many homes does not slow the load. */
import { awake, requestsPerSecond } from './load.ts';

/** The arguments of `requestsPerSecond`. */
export type Load = Parameters<typeof requestsPerSecond>;

process.on('message', async (load: Load) => {
  process.send!(await awake(() => requestsPerSecond(...load)));
});
