export { startWorker, type Worker, type WorkerLog } from './worker.ts';
