export { captureSignal } from './operations/capture-signal.ts';
export { funnelActs } from './staff/funnel.ts';
export { type CallCounts, homeOf, startCallCounts, stepOf } from './call-counts.ts';
export { countFunnel } from './store/count-funnel.ts';
