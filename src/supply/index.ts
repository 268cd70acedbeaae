export { createLiveReads, type LiveReads } from './live-reads.ts';
export type { Supply } from './port.ts';
export { createSimulatedSupply } from './simulation/supplier.ts';
export { seedSimulation } from './simulation/seed.ts';
export { simulatedSetupOf } from './simulation/outcomes.ts';
export { picture } from './simulation/pictures.ts';
