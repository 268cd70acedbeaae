export { captureSignal } from './operations/capture-signal.ts';
export { funnelActs } from './staff/funnel.ts';
export { homeOf, type RefusalRecorder, startRefusalRecorder, stepOf } from './refused-calls.ts';
export { countFunnel } from './store/count-funnel.ts';
