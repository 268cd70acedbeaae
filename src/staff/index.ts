export {
  acceptInvitation,
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  readInvitation,
  removeOwnSecondFactor,
} from './account.ts';
export type { OperatorActor } from './actor.ts';
export { type SignInContext, signInContext } from './context.ts';
export { staffCookie } from './cookie.ts';
export { openProvider, type ProviderSettings } from './provider.ts';
export {
  disableStaff,
  enableStaff,
  inviteStaff,
  listStaff,
  removeSecondFactor,
  setRole,
  staffIdOf,
} from './members.ts';
export {
  beginAtProvider,
  endSession,
  findSessionActor,
  listOwnSessions,
  type MemberActor,
  readSession,
  signIn,
  signInAtProvider,
  stepUp,
} from './sign-in.ts';
export {
  defaultTokenSeconds,
  findTokenActor,
  issueOperatorToken,
  listOperatorTokens,
  revokeOperatorToken,
} from './tokens.ts';
