export type { SandboxContext } from './context.ts';
export { playFaults } from './play-faults.ts';
export { withOwnNights } from './own-nights.ts';
export { playScenario } from './conformance/play-scenario.ts';
export { recordExchange, witnessOf } from './conformance/witness.ts';
export { startConformancePlayer } from './conformance/player.ts';
export { sandboxOperations } from './operations.ts';
export { contractDigest } from './contract-digest.ts';
export { verifyReport } from './verify-report.ts';
