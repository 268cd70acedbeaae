/** Members of staff, their sessions, and tokens. */
import Type from 'typebox';
import { limits } from '../../limits.ts';
import {
  Instant,
  Nullable,
  requestOptions,
  responseOptions,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
import { patterns } from '../../patterns.ts';
import { Environment } from '../../partner/schemas/site.ts';
import { operatorLimits } from '../limits.ts';
import { operatorScopes, roles } from '../roles.ts';
import { AllowedNetworks, Networks } from './networks.ts';
import { expectedVersion, shownVersion } from './shared.ts';

const { passwordLength, tokenNameLength, tokenDays, tokenLength } = operatorLimits;

const Email = Type.String({
  format: 'email',
  maxLength: limits.emailLength,
  pattern: patterns.plainEmail.pattern,
  description: 'The email address. Capital letters make no difference.',
});

const NewPassword = Type.String({
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  description: `A password of ${passwordLength.min} to ${passwordLength.max} characters.`,
});

const GivenPassword = Type.String({ minLength: 1, maxLength: passwordLength.max });

const Code = Type.String({
  pattern: patterns.sixDigits.pattern,
  description: 'The six digits that the authenticator app shows now. Each code can be used once.',
});

const Credential = Type.String({
  minLength: 2,
  maxLength: 8_000,
  description:
    'What the passkey has answered in the browser (`PublicKeyCredential.toJSON()`), as JSON.',
});

const Role = Type.Enum([...roles], { $id: 'Role', description: 'What its holder may do.' });

const LinkSecret = Type.String({
  minLength: 1,
  maxLength: tokenLength,
  description: 'The part after `#invitation=` in the link.',
});

/** How a session confirms who uses it: by code, by passkey, by password, or by signing in again at the provider. */
const confirmations = ['code', 'passkey', 'password', 'provider'] as const;

export const SignInOptions = Type.Object(
  {
    environment: Environment,
    provider: Nullable(
      Type.String({ description: 'The host of the OpenID provider. Null: there is none.' }),
    ),
  },
  responseOptions('SignInOptions', 'How staff can sign in.'),
);

export const SignIn = Type.Object(
  {
    email: Email,
    password: GivenPassword,
    code: Type.Optional(Code),
    passkey: Type.Optional(Credential),
  },
  requestOptions(
    'SignIn',
    'Email address and password, and a code or passkey if there is a second factor.',
  ),
);

export const ProviderAddress = Type.Object(
  {
    url: Type.String({ description: 'Where the browser signs in.' }),
    pending: Type.String({
      description: 'Send it back with the provider’s response, within ten minutes. Encrypted.',
    }),
  },
  responseOptions('ProviderAddress', 'The page of the OpenID provider.'),
);

export const ProviderAnswer = Type.Object(
  {
    query: Type.String({
      maxLength: 8_000,
      description: 'The query with which the provider sent the browser back, without `?`.',
    }),
    pending: Type.String({
      maxLength: 2_000,
      description: 'The `pending` of the response that began the sign-in.',
    }),
  },
  requestOptions('ProviderAnswer', 'What the OpenID provider answered.'),
);

export const Confirmation = Type.Object(
  {
    password: Type.Optional(GivenPassword),
    code: Type.Optional(Code),
    passkey: Type.Optional(Credential),
  },
  requestOptions('Confirmation', 'A code or passkey; if there is no second factor, the password.'),
);

export const StaffSession = Type.Object(
  {
    sessionId: Uuid('The session.'),
    staffId: Uuid('The member of staff.'),
    email: Type.String(),
    role: Role,
    hasPassword: Type.Boolean(),
    hasSecondFactor: Type.Boolean({ description: 'Whether a code or a passkey is asked for.' }),
    hasCode: Type.Boolean({ description: 'Whether it has one-time codes.' }),
    hasPasskey: Type.Boolean({ description: 'Whether it has a passkey.' }),
    mustAddSecondFactor: Type.Boolean({
      description: 'Everything but the own account is 403 `second_factor` until one is added.',
    }),
    confirmBy: Type.Enum([...confirmations], { description: 'How to make a step-up.' }),
    steppedUpUntil: Instant('Until when secrets and money are accessible without another step-up.'),
    expiresAt: Instant('When it ends at the latest.'),
    environment: Environment,
    isCopy: Type.Boolean({
      description: 'This is a copy that calls nothing outside (`LATCHKEY_OUTSIDE=off`).',
    }),
    baseUrl: Type.String({ description: 'The address of the service for partners.' }),
  },
  responseOptions('StaffSession', 'The session of a member of staff.'),
);

const ListedSession = Type.Object(
  {
    sessionId: Uuid('The session.'),
    isCurrent: Type.Boolean({ description: 'Whether this call was made in it.' }),
    createdAt: Instant('When it began.'),
    seenAt: Instant('When it was last used, to the minute.'),
    expiresAt: Instant('When it ends at the latest.'),
    address: Type.String({ description: 'The address from which it began.' }),
    userAgent: Type.String({ description: 'The browser in which it began.' }),
  },
  { $id: 'ListedSession' },
);

export const SessionList = Type.Object(
  { items: Type.Array(ListedSession) },
  responseOptions('SessionList', 'The sessions of the caller, newest first.'),
);

export const PasskeySignIn = Type.Object(
  { email: Email, password: GivenPassword },
  requestOptions('PasskeySignIn', 'Email address and password.'),
);

export const PasskeyOptions = Type.Object(
  {
    options: Type.String({
      description:
        'JSON for `navigator.credentials`: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.',
    }),
  },
  responseOptions('PasskeyOptions', 'What the browser needs to make or use a passkey.'),
);

const PasskeyName = Type.String({
  minLength: 1,
  maxLength: operatorLimits.passkeyNameLength,
  pattern: patterns.text.pattern,
  description: 'What the member calls it.',
});

export const AddPasskey = Type.Object(
  { name: PasskeyName, credential: Credential },
  requestOptions('AddPasskey', 'A passkey that the browser has made.'),
);

export const Passkey = Type.Object(
  {
    passkeyId: Uuid('The passkey.'),
    name: PasskeyName,
    createdAt: Instant('When it was added.'),
    usedAt: Nullable(Instant('When it was last used.')),
  },
  responseOptions('Passkey', 'A passkey of the caller.'),
);

export const PasskeyList = Type.Object(
  { items: Type.Array(Passkey) },
  responseOptions('PasskeyList', 'The passkeys of the caller, oldest first.'),
);

export const PasskeyParams = Type.Object(
  { passkeyId: UuidInput('The passkey.') },
  { additionalProperties: false },
);

export const FindInvitation = Type.Object(
  { invitation: LinkSecret },
  requestOptions('FindInvitation', 'The link.'),
);

export const Invitation = Type.Object(
  { email: Type.String({ description: 'The address to sign in with.' }), role: Role },
  responseOptions('Invitation', 'The account whose password the link sets.'),
);

export const AcceptInvitation = Type.Object(
  { invitation: LinkSecret, password: NewPassword },
  requestOptions('AcceptInvitation', 'The link and the new password.'),
);

export const AcceptedInvitation = Type.Object(
  { email: Type.String({ description: 'The address to sign in with.' }) },
  responseOptions('AcceptedInvitation', 'The account.'),
);

export const PasswordChange = Type.Object(
  { password: NewPassword },
  requestOptions('PasswordChange', 'The new password.'),
);

export const NewFactor = Type.Object(
  {
    secret: Type.String({ description: 'The secret, in base32, to type into an app.' }),
    url: Type.String({ description: 'The same as an `otpauth:` address, to show as QR code.' }),
  },
  responseOptions('NewFactor', 'A second factor that waits for its first code.'),
);

export const FactorCode = Type.Object(
  { code: Code },
  requestOptions('FactorCode', 'The first code of a new second factor.'),
);

export const StaffMember = Type.Object(
  {
    staffId: Uuid('The member of staff.'),
    email: Type.String(),
    role: Role,
    state: Type.Enum(['active', 'invited', 'disabled'], {
      $id: 'StaffState',
      description: '`invited`: has not set a password and has never signed in.',
    }),
    hasSecondFactor: Type.Boolean(),
    sessions: Type.Integer({ description: 'How many sessions are open.' }),
    signedInAt: Nullable(Instant('When it last signed in.')),
    invitedUntil: Nullable(Instant('Until when an invitation can be accepted.')),
    createdAt: Instant('When the account was made.'),
    version: shownVersion,
  },
  responseOptions('StaffMember', 'A member of staff.'),
);

export const StaffList = Type.Object(
  { items: Type.Array(StaffMember) },
  responseOptions('StaffList', 'All members of staff, by email address.'),
);

export const StaffParams = Type.Object(
  { staffId: UuidInput('The member of staff.') },
  { additionalProperties: false },
);

export const Invite = Type.Object(
  { email: Email, role: Role },
  requestOptions('Invite', 'A new member of staff, or one that needs a new link.'),
);

export const IssuedInvitation = Type.Object(
  {
    url: Type.String({ description: 'Shown once. It sets the password of the account, one time.' }),
    expiresAt: Instant('Until when it can be used.'),
  },
  responseOptions('IssuedInvitation', 'The link of an invitation.'),
);

export const StaffChange = Type.Object(
  { role: Role, ...expectedVersion },
  requestOptions('StaffChange', 'The new role.'),
);

export const SessionParams = Type.Object(
  { sessionId: UuidInput('The session.') },
  { additionalProperties: false },
);

// A minute.
const shortestDays = 1 / 1_440;

const TokenName = Type.String({
  minLength: 1,
  maxLength: tokenNameLength,
  pattern: patterns.text.pattern,
  description: 'What it is for; its name in the audit trail.',
});

const TokenScopes = Nullable(
  Type.Array(Type.String(), {
    description: 'What it may do, of what its role may; null: all of it.',
  }),
);

export const OperatorToken = Type.Object(
  {
    tokenId: Uuid('The token.'),
    name: TokenName,
    role: Role,
    state: Type.Enum(['active', 'expired', 'revoked'], { $id: 'TokenState' }),
    createdAt: Instant('When it was issued.'),
    expiresAt: Instant('When it ends.'),
    revokedAt: Nullable(Instant('When it was revoked.')),
    scopes: TokenScopes,
    networks: AllowedNetworks,
  },
  responseOptions('OperatorToken', 'A token, without its secret.'),
);

export const TokenList = Type.Object(
  { items: Type.Array(OperatorToken) },
  responseOptions('TokenList', 'All tokens, newest first.'),
);

export const TokenIssue = Type.Object(
  {
    name: TokenName,
    role: Role,
    expiresInDays: Type.Optional(
      Type.Number({
        minimum: shortestDays,
        maximum: tokenDays.max,
        description: `Its lifetime in days: 0.5 is twelve hours. The default is ${tokenDays.default} days.`,
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...operatorScopes]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'What it may do, of what its role may: a script needs less than a person. Absent: all of it.',
      }),
    ),
    networks: Type.Optional(Networks),
  },
  requestOptions('TokenIssue', 'What the token is for, and what it may do.'),
);

export const IssuedToken = Type.Object(
  {
    tokenId: Uuid('The token.'),
    token: Type.String({ description: 'Shown once: `Authorization: Bearer …`.' }),
    name: TokenName,
    role: Role,
    scopes: TokenScopes,
    expiresAt: Instant('When it ends.'),
  },
  responseOptions('IssuedToken', 'A token that was just issued.'),
);

export const TokenParams = Type.Object(
  { tokenId: UuidInput('The token.') },
  { additionalProperties: false },
);

export const RequireSecondFactor = Type.Object(
  { required: Type.Boolean({ description: 'Whether everybody needs a second factor.' }) },
  requestOptions('RequireSecondFactor', 'Whether a second factor is required.'),
);

export const RequiredSecondFactor = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether everybody needs a second factor.' }),
    without: Type.Array(Type.String(), {
      description: 'Who has a password and no second factor, by address.',
    }),
  },
  responseOptions('RequiredSecondFactor', 'Whether a second factor is required, and who has none.'),
);
