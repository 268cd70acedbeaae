/** Loads a server from a process of its own, so that what the bench does meanwhile, and its garbage collection, neither slow the load nor its clock. */
import { awake, p99Of, requestsPerSecond } from './load.ts';

const tasks = {
  requestsPerSecond: (...load: Parameters<typeof requestsPerSecond>) =>
    awake(() => requestsPerSecond(...load)),
  p99Of,
};
type Tasks = typeof tasks;

/** A task and its arguments. */
export type Load = { [Task in keyof Tasks]: [Task, ...Parameters<Tasks[Task]>] }[keyof Tasks];

const run = ([task, ...args]: Load): Promise<number> =>
  (tasks[task] as (...args: unknown[]) => Promise<number>)(...args);

process.on('message', async (load: Load) => {
  process.send!(await run(load));
});
