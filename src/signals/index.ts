export { captureSignal } from './operations/capture-signal.ts';
