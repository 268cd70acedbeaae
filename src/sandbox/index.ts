export type { SandboxContext } from './context.ts';
export { playFaults } from './play-faults.ts';
export { act, expire, orderNextOutcome } from './operations/acts.ts';
export { deliverEvent } from './operations/deliver.ts';
export { deleteFaultRules, getFaultRules, putFaultRules } from './operations/faults.ts';
export { getOwnRequest, listOwnRequests } from './operations/requests.ts';
export { withOwnNights } from './own-nights.ts';
