export { startBackgroundTasks } from './background-tasks.ts';
export { startWorker, type Worker, type WorkerLog } from './worker.ts';
