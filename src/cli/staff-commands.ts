/** The commands about members of staff and tokens. */
import { operatorLimits } from '../contract/operator/limits.ts';
import {
  defaultTokenSeconds,
  disableStaff,
  enableStaff,
  inviteStaff,
  issueOperatorToken,
  listOperatorTokens,
  listStaff,
  removeSecondFactor,
  revokeOperatorToken,
  setRole,
  staffIdOf,
} from '../staff/index.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';

const { invitationHours, tokenDays, tokenNameLength } = operatorLimits;

const email = {
  kind: kinds.staffEmail,
  required: true,
  description: 'The email address of the member of staff.',
} as const;

const role = {
  kind: kinds.staffRole,
  required: true,
  description: 'What it may do.',
} as const;

const verbs = {
  invite: command({
    summary: 'Makes an account and a link that sets its password; for an existing one, a new link.',
    flags: { email, role },
    changesApplication: false,
    async run({ database, actor, baseUrl }, values) {
      return {
        document: await inviteStaff(database, actor, { ...values, baseUrl }),
        note: `The link works once, for ${invitationHours} hours, and is not shown again.`,
      };
    },
  }),
  list: command({
    summary: 'Lists members of staff, by email address.',
    flags: {},
    changesApplication: false,
    async run({ database }) {
      const columns = ['email', 'role', 'state', 'hasSecondFactor', 'sessions', 'signedInAt'];
      return { document: await listStaff(database), columns };
    },
  }),
  'set-role': command({
    summary: 'Changes the role of a member of staff.',
    flags: { email, role },
    changesApplication: false,
    async run({ database, actor }, values) {
      const staffId = await staffIdOf(database, values.email);
      return { document: await setRole(database, actor, staffId, values.role) };
    },
  }),
  disable: command({
    summary: 'Disables a member of staff and ends its sessions.',
    flags: { email },
    changesApplication: false,
    async run({ database, actor }, values) {
      const staffId = await staffIdOf(database, values.email);
      return { document: await disableStaff(database, actor, staffId) };
    },
  }),
  enable: command({
    summary: 'Enables a member of staff that was disabled.',
    flags: { email },
    changesApplication: false,
    async run({ database, actor }, values) {
      const staffId = await staffIdOf(database, values.email);
      return { document: await enableStaff(database, actor, staffId) };
    },
  }),
  'remove-second-factor': command({
    summary: 'Removes a second factor that was lost; the password is enough from then on.',
    flags: { email },
    changesApplication: false,
    async run({ database, actor }, values) {
      const staffId = await staffIdOf(database, values.email);
      return { document: await removeSecondFactor(database, actor, staffId) };
    },
  }),
};

const tokenVerbs = {
  issue: command({
    summary: "Issues a token with which a script calls the operator's API.",
    flags: {
      name: {
        kind: kinds.line('NAME', tokenNameLength),
        required: true,
        description: 'What it is for; its name in the audit trail.',
      },
      role,
      'expires-in': {
        kind: kinds.tokenLifetime,
        required: false,
        description: `The lifetime, such as 12h or 90d; the default is ${tokenDays.default}d.`,
      },
    },
    changesApplication: false,
    async run({ database, actor }, { 'expires-in': lifetimeSeconds, ...values }) {
      const input = { ...values, lifetimeSeconds: lifetimeSeconds ?? defaultTokenSeconds };
      return {
        document: await issueOperatorToken(database, actor, input),
        note: 'The token is shown only once: store it now.',
      };
    },
  }),
  list: command({
    summary: 'Lists tokens, newest first, without their secrets.',
    flags: {},
    changesApplication: false,
    async run({ database }) {
      const columns = ['tokenId', 'name', 'role', 'state', 'createdAt', 'expiresAt', 'revokedAt'];
      return { document: await listOperatorTokens(database), columns };
    },
  }),
  revoke: command({
    summary: 'Revokes a token.',
    flags: {
      token: { kind: kinds.tokenId, required: true, description: 'The token, by its ID.' },
    },
    changesApplication: false,
    async run({ database, actor }, { token }) {
      return { document: await revokeOperatorToken(database, actor, token) };
    },
  }),
};

/** The commands about members of staff, and the tokens of scripts. */
export const staffCommands = { staff: verbs, 'staff token': tokenVerbs };
