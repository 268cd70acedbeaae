export { createLiveReads, type LiveReads } from './live-reads.ts';
export type { Supply } from './port.ts';
export { createSimulatedSupply } from './simulation/supplier.ts';
export { simulatedSetupOf } from './simulation/outcomes.ts';
