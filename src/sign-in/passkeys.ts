/** Passkeys (WebAuthn) as a second factor: added, used and removed. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { randomBytes } from 'node:crypto';
import { isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import { refuseConflict, refuseOperator, refuseStaff } from '../contract/operator/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { instant } from '../contract/time.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { SignInContext } from './context.ts';
import type { MemberActor } from './actor.ts';
import { lockMember, type Member } from './store/members.ts';
import {
  type ChallengePurpose,
  deletePasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  type StoredPasskey,
  useChallenge,
} from './store/passkeys.ts';
import { isSecondFactorRequired } from './store/required-factor.ts';
import { deleteSessions } from './store/sessions.ts';

const challengeBytes = 32;
const challengeSeconds = 300;

// Loaded with the first passkey: a start needs none.
const library = () => import('@simplewebauthn/server');

type Site = Pick<SignInContext, 'database' | 'baseUrl'>;

/** The page whose passkeys count: that of the public address. A browser signs for no other. */
const siteOf = ({ baseUrl }: Site) => {
  const { hostname, origin } = new URL(baseUrl);
  return { rpId: hostname, origin };
};

async function newChallenge(
  { database }: Site,
  staffId: string,
  purpose: ChallengePurpose,
): Promise<Buffer> {
  const challenge = randomBytes(challengeBytes);
  const text = challenge.toString('base64url');
  await insertChallenge(database, text, staffId, purpose, challengeSeconds);
  return challenge;
}

const asAllowed = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId,
  transports,
});

/** Parses what a browser has sent. Null: it is no JSON object. */
function credentialOf<T>(text: string): T | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}

/** What a browser needs to use one of a member's passkeys, as JSON. Null: it has none. */
export async function passkeyRequest(
  site: Site,
  staffId: string,
  purpose: 'sign_in' | 'step_up',
): Promise<{ options: string } | null> {
  const passkeys = await listPasskeys(site.database, staffId);
  if (passkeys.length === 0) return null;
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: siteOf(site).rpId,
    allowCredentials: passkeys.map(asAllowed),
    challenge: Uint8Array.from(await newChallenge(site, staffId, purpose)),
    userVerification: 'preferred',
  });
  return { options: JSON.stringify(options) };
}

async function isSignedBy(
  site: Site,
  passkey: StoredPasskey,
  response: AuthenticationResponseJSON,
  isOurs: (challenge: string) => Promise<boolean>,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const { rpId, origin } = siteOf(site);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: isOurs,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for whatever does not fit.
    return null;
  }
}

/** Uses a passkey of a member. False: it is not its own, or did not sign the challenge on this page. Spec: OPERATOR-15. */
export async function usePasskey(
  site: Site,
  { staffId }: Pick<Member, 'staffId'>,
  purpose: 'sign_in' | 'step_up',
  text: string,
): Promise<boolean> {
  const response = credentialOf<AuthenticationResponseJSON>(text);
  if (!response) return false;
  const passkeys = await listPasskeys(site.database, staffId);
  const passkey = passkeys.find(({ credentialId }) => credentialId === response.id);
  if (!passkey) return false;
  const counter = await isSignedBy(site, passkey, response, (challenge) =>
    useChallenge(site.database, challenge, staffId, purpose),
  );
  if (counter === null) return false;
  return notePasskeyUse(site.database, staffId, passkey.credentialId, counter);
}

const passkeyView = ({ passkeyId, name, createdAt, usedAt }: StoredPasskey) => ({
  passkeyId,
  name,
  createdAt: instant(createdAt),
  usedAt: instant(usedAt),
});

/** Lists the caller's passkeys. */
export const listOwnPasskeys = async (
  { database }: SignInContext,
  { session: { staffId } }: MemberActor,
) => ({ items: (await listPasskeys(database, staffId)).map(passkeyView) });

/** What a browser needs to make a passkey for the caller, as JSON. */
export async function beginPasskey(
  context: SignInContext,
  { session: { staffId, email } }: MemberActor,
): Promise<{ options: string }> {
  const passkeys = await listPasskeys(context.database, staffId);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Latchkey',
    rpID: siteOf(context).rpId,
    userName: email,
    userID: Uint8Array.from(Buffer.from(staffId)),
    challenge: Uint8Array.from(await newChallenge(context, staffId, 'add')),
    attestationType: 'none',
    excludeCredentials: passkeys.map(asAllowed),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  return { options: JSON.stringify(options) };
}

const idTooLong = refuse('invalid_input', {
  fields: [
    {
      path: '/credential',
      message: `must have an ID of at most ${operatorLimits.passkeyIdLength} characters`,
    },
  ],
});

const notAdded = refuseOperator('forbidden', 'confirmation');

async function madeBy(context: SignInContext, staffId: string, text: string) {
  const response = credentialOf<RegistrationResponseJSON>(text);
  if (!response) return null;
  const { verifyRegistrationResponse } = await library();
  const { rpId, origin } = siteOf(context);
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => useChallenge(context.database, challenge, staffId, 'add'),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
    });
    return registrationInfo?.credential ?? null;
  } catch {
    return null;
  }
}

/** Adds a passkey that the browser has made, and ends the caller's other sessions. */
export async function addPasskey(
  context: SignInContext,
  { name: actor, session: { staffId, sessionId } }: MemberActor,
  { name, credential: text }: { name: string; credential: string },
): Promise<ReturnType<typeof passkeyView> | Refusal<'forbidden' | 'conflict' | 'invalid_input'>> {
  const made = await madeBy(context, staffId, text);
  if (!made) return notAdded;
  if (made.id.length > operatorLimits.passkeyIdLength) return idTooLong;
  const add = async (
    executor: Executor,
  ): Promise<{ added: StoredPasskey; endedSessions: number } | Refusal<'conflict'>> => {
    await lockMember(executor, staffId);
    const { passkeysOfMember } = operatorLimits;
    if ((await listPasskeys(executor, staffId)).length >= passkeysOfMember) {
      return refuseConflict(`An account has at most ${passkeysOfMember} passkeys.`);
    }
    const added = await insertPasskey(executor, staffId, {
      credentialId: made.id,
      publicKey: Buffer.from(made.publicKey),
      counter: made.counter,
      // As the browser has sent them.
      transports: [made.transports ?? []].flat().filter((one) => typeof one === 'string'),
      name,
    });
    if (!added) return refuseConflict('This passkey was added before.');
    return { added, endedSessions: await deleteSessions(executor, staffId, sessionId) };
  };
  const done = await auditedChange(context.database, add, ({ added, endedSessions }) => ({
    actor,
    action: 'staff.passkey.add',
    details: { passkey: added.name, endedSessions },
  }));
  return isRefusal(done) ? done : passkeyView(done.added);
}

/** Removes one of the caller's passkeys, and ends the other sessions. Null: it is done. */
export async function removeOwnPasskey(
  { database }: SignInContext,
  { name: actor, session: { staffId, sessionId } }: MemberActor,
  passkeyId: string,
): Promise<Refusal<'not_found' | 'conflict'> | null> {
  const remove = async (
    executor: Executor,
  ): Promise<{ name: string; endedSessions: number } | Refusal<'not_found' | 'conflict'>> => {
    const member = (await lockMember(executor, staffId))!;
    const removed = await deletePasskey(executor, staffId, passkeyId);
    if (!removed) return refuseStaff('not_found', 'There is no such passkey.');
    const isLast =
      member.secondFactor === null && (await listPasskeys(executor, staffId)).length === 0;
    if (isLast && (await isSecondFactorRequired(executor))) {
      return refuseConflict('A second factor is required: add another one first.');
    }
    return { ...removed, endedSessions: await deleteSessions(executor, staffId, sessionId) };
  };
  const done = await auditedChange(database, remove, ({ name, endedSessions }) => ({
    actor,
    action: 'staff.passkey.remove',
    details: { passkey: name, endedSessions },
  }));
  return isRefusal(done) ? done : null;
}
