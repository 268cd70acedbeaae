export { findJoin } from './join.ts';
export { intakeOf, signalRefusal, stateBearsOut } from './intake.ts';
