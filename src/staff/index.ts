export type { OperatorActor } from './actor.ts';
export { findTokenActor, issueOperatorToken } from './tokens.ts';
