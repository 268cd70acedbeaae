export type { Payment } from './port.ts';
export { createSimulatedPayment } from './simulation.ts';
