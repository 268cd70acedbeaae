/** Signing in and out, and confirming who uses a session. */
import { instant } from '../contract/time.ts';
import type { Refusal } from '../contract/errors.ts';
import { isRefusal } from '../contract/errors.ts';
import { refuseOperator, refuseStaff } from '../contract/operator/errors.ts';
import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { type MemberActor, memberName, type OperatorActor } from './actor.ts';
import { currentCaller } from './caller.ts';
import type { SignInContext } from './context.ts';
import { counted, recordFailedSignIn, recordFailedStepUp } from './failures.ts';
import { type Asker, isPassword } from './password.ts';
import { newSecret, secretDigest } from '../platform/secret.ts';
import { passkeyRequest, usePasskey } from './passkeys.ts';
import { useCode } from './second-factor.ts';
import { findMember, findMemberByEmail, type Member } from './store/members.ts';
import { isKnownNetwork, noteNetwork } from './store/networks.ts';
import {
  confirmSession,
  deleteSession,
  findSession,
  insertSession,
  listSessions,
  type Session,
} from './store/sessions.ts';
import { network, type SignInFailure } from './throttle.ts';

type SessionView = OperatorReplyOf<'operator.session.get'>['body'];
type Unauthenticated = Refusal<'unauthenticated'>;
type Throttled = Refusal<'rate_limited'>;

/** A session that has just begun, and the secret of its cookie. */
export interface Begun {
  secret: string;
  session: SessionView;
}

/** The address of an account as it is stored. */
export const accountEmail = (email: string): string => email.trim().toLowerCase();

function confirmBy({ hasPassword, hasCode, hasPasskey }: Session): SessionView['confirmBy'] {
  if (hasPasskey) return 'passkey';
  if (hasCode) return 'code';
  return hasPassword ? 'password' : 'provider';
}

const sessionView = (
  { environment, isCopy, baseUrl }: SignInContext,
  session: Session,
): SessionView => ({
  sessionId: session.sessionId,
  staffId: session.staffId,
  email: session.email,
  role: session.role,
  hasPassword: session.hasPassword,
  hasSecondFactor: session.hasCode || session.hasPasskey,
  hasCode: session.hasCode,
  hasPasskey: session.hasPasskey,
  mustAddSecondFactor: session.mustAddSecondFactor,
  confirmBy: confirmBy(session),
  steppedUpUntil: instant(session.steppedUpUntil),
  expiresAt: instant(session.expiresAt),
  environment,
  isCopy,
  baseUrl,
});

/** Begins a session of a member who was recognised. Undefined: it was disabled or changed meanwhile. */
async function beginSession(
  context: SignInContext,
  { staffId, email, passwordHash }: Member,
): Promise<Begun | undefined> {
  const secret = newSecret();
  const digest = secretDigest(secret);
  const about = currentCaller();
  const begun = await auditedChange(
    context.database,
    async (executor) => {
      const session = await insertSession(executor, { staffId, passwordHash, digest, ...about });
      if (session) await noteNetwork(executor, staffId, network());
      return session;
    },
    ({ sessionId }) => ({
      actor: memberName(email),
      action: 'staff.session.begin',
      details: { sessionId, userAgent: about.userAgent },
    }),
  );
  const session = begun && (await findSession(context.database, digest));
  return session && { secret, session: sessionView(context, session) };
}

/** Why a password that is not right for an account failed; for the audit trail only. */
function passwordFailure(member: Member | undefined): SignInFailure {
  if (member && member.disabledAt !== null) return 'disabled';
  return member && member.passwordHash === null ? 'no_password' : 'password';
}

/** Whether an account signs in from the network of the caller. */
const askerOf = async ({ database }: SignInContext, member: Member | undefined): Promise<Asker> =>
  (await isKnownNetwork(database, member?.staffId ?? null, network())) ? 'known' : 'stranger';

/** The active member with this password. Takes the same time whether the account exists or not. */
async function memberWithPassword(
  context: SignInContext,
  email: string,
  password: string,
): Promise<Member | Unauthenticated | Throttled> {
  const { database, throttle } = context;
  const takeBack = await counted(throttle.password(email), async (reason) =>
    recordFailedSignIn(context, email, await findMemberByEmail(database, email), reason),
  );
  if (isRefusal(takeBack)) return takeBack;
  const member = await findMemberByEmail(database, email);
  const asker = await askerOf(context, member);
  const takeBackStrange =
    asker === 'known'
      ? null
      : await counted(throttle.strangePassword(), (reason) =>
          recordFailedSignIn(context, email, member, reason),
        );
  if (isRefusal(takeBackStrange)) return takeBackStrange;
  const hash = member?.disabledAt === null ? member.passwordHash : null;
  const isRight = await isPassword(password, hash, asker);
  if (!member || !isRight) {
    await recordFailedSignIn(context, email, member, passwordFailure(member));
    return refuseOperator('unauthenticated', 'password');
  }
  await Promise.all([takeBack(), takeBackStrange?.()]);
  return member;
}

/** What proves who a member is, beside the password. */
interface GivenFactor {
  code?: string | undefined;
  /** The answer of a passkey, as JSON. */
  passkey?: string | undefined;
}

/** Which second factor is missing. */
function missingFactor({ secondFactor, hasPasskey }: Member): Unauthenticated {
  if (!hasPasskey) return refuseOperator('unauthenticated', 'code_required');
  return refuseOperator(
    'unauthenticated',
    secondFactor === null ? 'passkey_required' : 'factor_required',
  );
}

const isRightFactor = (
  context: SignInContext,
  member: Member,
  { code, passkey }: GivenFactor,
  purpose: 'sign_in' | 'step_up',
): Promise<boolean> =>
  passkey === undefined
    ? useCode(context.database, member, code ?? '')
    : usePasskey(context, member, purpose, passkey);

/** Checks the second factor of a member with the right password. Null: it is right, or the member needs none. */
async function factorRefusal(
  context: SignInContext,
  member: Member,
  given: GivenFactor,
): Promise<Unauthenticated | Throttled | null> {
  const { throttle } = context;
  const record = (reason: SignInFailure) =>
    recordFailedSignIn(context, member.email, member, reason);
  if (member.secondFactor === null && !member.hasPasskey) return null;
  if (given.code === undefined && given.passkey === undefined) return missingFactor(member);
  const takeBack = await counted(throttle.confirmation(member.staffId), record);
  if (isRefusal(takeBack)) return takeBack;
  if (!(await isRightFactor(context, member, given, 'sign_in'))) {
    const reason = given.passkey === undefined ? 'code' : 'passkey';
    await record(reason);
    return refuseOperator('unauthenticated', reason);
  }
  await takeBack();
  return null;
}

/** What a browser needs to use a passkey, for somebody with the right password. */
export async function beginPasskeySignIn(
  context: SignInContext,
  { email, password }: { email: string; password: string },
): Promise<{ options: string } | Unauthenticated | Throttled | Refusal<'not_found'>> {
  const member = await memberWithPassword(context, accountEmail(email), password);
  if (isRefusal(member)) return member;
  return (
    (await passkeyRequest(context, member.staffId, 'sign_in')) ??
    refuseStaff('not_found', 'This account has no passkey.')
  );
}

/** What a browser needs to use a passkey of the caller. */
export const beginPasskeyStepUp = async (
  context: SignInContext,
  { session: { staffId } }: MemberActor,
): Promise<{ options: string } | Refusal<'not_found'>> =>
  (await passkeyRequest(context, staffId, 'step_up')) ??
  refuseStaff('not_found', 'This account has no passkey.');

/** Signs a member in by password, and by code or passkey if it has a second factor. */
export async function signIn(
  context: SignInContext,
  { email, password, ...factor }: { email: string; password: string } & GivenFactor,
): Promise<Begun | Unauthenticated | Throttled> {
  const member = await memberWithPassword(context, accountEmail(email), password);
  if (isRefusal(member)) return member;
  const refusal = await factorRefusal(context, member, factor);
  if (refusal) return refusal;
  const begun = await beginSession(context, member);
  if (begun) return begun;
  await recordFailedSignIn(context, member.email, member, 'changed');
  return refuseOperator('unauthenticated', 'password');
}

const noProvider = refuseStaff('not_found', 'No sign-in provider is configured.');

/** Begins signing in at the provider. */
export const beginAtProvider = async ({ provider }: SignInContext) =>
  provider ? provider.begin() : noProvider;

/** Why a member whose address the provider has verified could not sign in; for the audit trail only. */
function providerFailure(member: Member | undefined): SignInFailure {
  if (!member) return 'provider';
  return member.disabledAt === null ? 'changed' : 'disabled';
}

/** Signs in the member whose address the provider has verified. It also takes the place of a second factor. */
export async function signInAtProvider(
  context: SignInContext,
  { query, pending }: { query: string; pending: string },
): Promise<Begun | Unauthenticated | Refusal<'not_found'>> {
  if (!context.provider) return noProvider;
  const email = await context.provider.emailOf(query, pending);
  if (isRefusal(email)) {
    await recordFailedSignIn(context, '', undefined, 'provider');
    return email;
  }
  const account = accountEmail(email);
  const member = await findMemberByEmail(context.database, account);
  const begun = member && (await beginSession(context, member));
  if (begun) return begun;
  await recordFailedSignIn(context, account, member, providerFailure(member));
  return refuseOperator('unauthenticated', 'provider');
}

/** Finds the actor of a session. Undefined: it has ended, or the member was disabled. */
export async function findSessionActor(
  executor: Executor,
  secret: string,
): Promise<OperatorActor | undefined> {
  const session = await findSession(executor, secretDigest(secret));
  if (!session) return undefined;
  const { email, role, isSteppedUp } = session;
  return { applicationId: null, name: memberName(email), role, isSteppedUp, session };
}

/** The session of a call. */
export const readSession = (context: SignInContext, { session }: MemberActor): SessionView =>
  sessionView(context, session);

/** Ends a session of the caller. Returns false if it has none with this ID. */
export async function endSession(
  { database }: SignInContext,
  { name, session: { staffId } }: MemberActor,
  sessionId: string,
): Promise<boolean> {
  const ended = await auditedChange(
    database,
    async (executor) =>
      (await deleteSession(executor, staffId, sessionId)) ? { sessionId } : undefined,
    (details) => ({ actor: name, action: 'staff.session.end', details }),
  );
  return ended !== undefined;
}

/** Lists the sessions of the caller. */
export async function listOwnSessions(
  { database }: SignInContext,
  { session: current }: MemberActor,
): Promise<OperatorReplyOf<'operator.session.list'>['body']> {
  const found = await listSessions(database, current.staffId);
  const items = found.map(({ createdAt, seenAt, expiresAt, ...session }) => ({
    ...session,
    isCurrent: session.sessionId === current.sessionId,
    createdAt: instant(createdAt),
    seenAt: instant(seenAt),
    expiresAt: instant(expiresAt),
  }));
  return { items };
}

/** Whether a session has been confirmed recently. Spec: OPERATOR-3. */
const isConfirmed = (
  context: SignInContext,
  member: Member,
  { password, ...factor }: { password?: string | undefined } & GivenFactor,
): Promise<boolean> =>
  member.secondFactor === null && !member.hasPasskey
    ? isPassword(password ?? '', member.passwordHash, 'known')
    : isRightFactor(context, member, factor, 'step_up');

/** Opens secrets and money to the session for some minutes. */
export async function stepUp(
  context: SignInContext,
  { name, session }: MemberActor,
  given: { password?: string | undefined } & GivenFactor,
): Promise<SessionView | Refusal<'forbidden' | 'rate_limited'>> {
  const { staffId, sessionId } = session;
  const record = (reason: SignInFailure) => recordFailedStepUp(context, session, reason);
  const takeBack = await counted(context.throttle.confirmation(staffId), record);
  if (isRefusal(takeBack)) return takeBack;
  const member = (await findMember(context.database, staffId))!;
  if (!(await isConfirmed(context, member, given))) {
    const usual = member.secondFactor === null && !member.hasPasskey ? 'password' : 'code';
    await record(given.passkey === undefined ? usual : 'passkey');
    return refuseOperator('forbidden', 'confirmation');
  }
  await takeBack();
  const confirmed = await auditedChange(
    context.database,
    (executor) => confirmSession(executor, sessionId),
    () => ({ actor: name, action: 'staff.session.step-up', details: { sessionId } }),
  );
  return sessionView(context, { ...session, ...confirmed });
}
