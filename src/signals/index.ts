export { findJoin, type Join } from './join.ts';
export { intakeOf, signalRefusal, stateBearsOut } from './intake.ts';
