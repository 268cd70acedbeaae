import { costOf } from '../test/harness/cost.ts';

const secondsOf = async (pids: readonly number[]): Promise<number> => {
  const costs = await Promise.all(pids.map(costOf));
  return costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
};

/** The CPU time in microseconds that these processes and their children need for each unit of the work. Linux only. */
export async function cpuMicrosPer(
  pids: readonly number[],
  work: () => Promise<number>,
): Promise<number> {
  const before = await secondsOf(pids);
  const units = await work();
  return (((await secondsOf(pids)) - before) * 1e6) / units;
}
