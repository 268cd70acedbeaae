export { createLiveReads, type LiveReads } from './live-reads.ts';
export { askPort, type PortAnswer, type UnknownAnswer } from './port-call.ts';
export type { Announced, Supply } from './port.ts';
export { createSimulatedSupply } from './simulation/supplier.ts';
export { simulatedSetupOf } from './simulation/outcomes.ts';
