export { startWorker, type Worker, type WorkerLog, type WorkerParts } from './worker.ts';
