export { findJoin } from './join.ts';
export { intakeOf, signalMeaning, signalRefusal, stateBearsOut } from './intake.ts';
