/** Members of staff, their sessions, and tokens. */
import Type from 'typebox';
import { limits } from '../../limits.ts';
import {
  Flag,
  Instant,
  Integer,
  Nullable,
  optional,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
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

export const SignInOptions = ResponseObject('SignInOptions', 'How staff can sign in.', {
  environment: Environment,
  provider: Nullable(Text('The host of the OpenID provider. Null: there is none.')),
});

export const SignIn = RequestObject(
  'SignIn',
  'Email address and password, and a code or passkey if there is a second factor.',
  {
    email: Email,
    password: GivenPassword,
    code: Type.Optional(Code),
    passkey: Type.Optional(Credential),
  },
);

export const ProviderAddress = ResponseObject(
  'ProviderAddress',
  'The page of the OpenID provider.',
  {
    url: Text('Where the browser signs in.'),
    pending: Text('Send it back with the provider’s response, within ten minutes. Encrypted.'),
  },
);

export const ProviderAnswer = RequestObject(
  'ProviderAnswer',
  'What the OpenID provider answered.',
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
);

export const Confirmation = RequestObject(
  'Confirmation',
  'A code or passkey; if there is no second factor, the password.',
  {
    password: Type.Optional(GivenPassword),
    code: Type.Optional(Code),
    passkey: Type.Optional(Credential),
  },
);

export const StaffSession = ResponseObject('StaffSession', 'The session of a member of staff.', {
  sessionId: Uuid('The session.'),
  staffId: Uuid('The member of staff.'),
  email: Type.String(),
  role: Role,
  hasPassword: Type.Boolean(),
  hasSecondFactor: Flag('Whether a code or a passkey is asked for.'),
  hasCode: Flag('Whether it has one-time codes.'),
  hasPasskey: Flag('Whether it has a passkey.'),
  mustAddSecondFactor: Flag(
    'Everything but the own account is 403 `second_factor` until one is added.',
  ),
  confirmBy: Type.Enum([...confirmations], { description: 'How to make a step-up.' }),
  steppedUpUntil: Instant('Until when secrets and money are accessible without another step-up.'),
  expiresAt: Instant('When it ends at the latest.'),
  environment: Environment,
  isCopy: Flag('This is a copy that calls nothing outside (`LATCHKEY_OUTSIDE=off`).'),
  baseUrl: Text('The address of the service for partners.'),
});

const ListedSession = ResponseObject('ListedSession', {
  sessionId: Uuid('The session.'),
  isCurrent: Flag('Whether this call was made in it.'),
  createdAt: Instant('When it began.'),
  seenAt: Instant('When it was last used, to the minute.'),
  expiresAt: Instant('When it ends at the latest.'),
  address: Text('The address from which it began.'),
  userAgent: Text('The browser in which it began.'),
});

export const SessionList = ResponseObject(
  'SessionList',
  'The sessions of the caller, newest first.',
  { items: Type.Array(ListedSession) },
);

export const PasskeySignIn = RequestObject('PasskeySignIn', 'Email address and password.', {
  email: Email,
  password: GivenPassword,
});

export const PasskeyOptions = ResponseObject(
  'PasskeyOptions',
  'What the browser needs to make or use a passkey.',
  {
    options: Text(
      'JSON for `navigator.credentials`: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.',
    ),
  },
);

const PasskeyName = Type.String({
  minLength: 1,
  maxLength: operatorLimits.passkeyNameLength,
  pattern: patterns.text.pattern,
  description: 'What the member calls it.',
});

export const AddPasskey = RequestObject('AddPasskey', 'A passkey that the browser has made.', {
  name: PasskeyName,
  credential: Credential,
});

export const Passkey = ResponseObject('Passkey', 'A passkey of the caller.', {
  passkeyId: Uuid('The passkey.'),
  name: PasskeyName,
  createdAt: Instant('When it was added.'),
  usedAt: Nullable(Instant('When it was last used.')),
});

export const PasskeyList = ResponseObject(
  'PasskeyList',
  'The passkeys of the caller, oldest first.',
  { items: Type.Array(Passkey) },
);

export const FindInvitation = RequestObject('FindInvitation', 'The link.', {
  invitation: LinkSecret,
});

export const Invitation = ResponseObject(
  'Invitation',
  'The account whose password the link sets.',
  { email: Text('The address to sign in with.'), role: Role },
);

export const AcceptInvitation = RequestObject(
  'AcceptInvitation',
  'The link and the new password.',
  { invitation: LinkSecret, password: NewPassword },
);

export const AcceptedInvitation = ResponseObject('AcceptedInvitation', 'The account.', {
  email: Text('The address to sign in with.'),
});

export const PasswordChange = RequestObject('PasswordChange', 'The new password.', {
  password: NewPassword,
});

export const NewFactor = ResponseObject(
  'NewFactor',
  'A second factor that waits for its first code.',
  {
    secret: Text('The secret, in base32, to type into an app.'),
    url: Text('The same as an `otpauth:` address, to show as QR code.'),
  },
);

export const FactorCode = RequestObject('FactorCode', 'The first code of a new second factor.', {
  code: Code,
});

export const StaffMember = ResponseObject('StaffMember', 'A member of staff.', {
  staffId: Uuid('The member of staff.'),
  email: Type.String(),
  role: Role,
  state: Type.Enum(['active', 'invited', 'disabled'], {
    $id: 'StaffState',
    description: '`invited`: has not set a password and has never signed in.',
  }),
  hasSecondFactor: Type.Boolean(),
  sessions: Integer('How many sessions are open.'),
  signedInAt: Nullable(Instant('When it last signed in.')),
  invitedUntil: Nullable(Instant('Until when an invitation can be accepted.')),
  createdAt: Instant('When the account was made.'),
  version: shownVersion,
});

export const StaffList = ResponseObject('StaffList', 'All members of staff, by email address.', {
  items: Type.Array(StaffMember),
});

export const Invite = RequestObject(
  'Invite',
  'A new member of staff, or one that needs a new link.',
  { email: Email, role: Role },
);

export const IssuedInvitation = ResponseObject('IssuedInvitation', 'The link of an invitation.', {
  url: Text('Shown once. It sets the password of the account, one time.'),
  expiresAt: Instant('Until when it can be used.'),
});

export const StaffChange = RequestObject('StaffChange', 'The new role.', {
  role: Role,
  ...expectedVersion,
});

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

export const OperatorToken = ResponseObject('OperatorToken', 'A token, without its secret.', {
  tokenId: Uuid('The token.'),
  name: TokenName,
  role: Role,
  state: Type.Enum(['active', 'expired', 'revoked'], { $id: 'TokenState' }),
  createdAt: Instant('When it was issued.'),
  expiresAt: Instant('When it ends.'),
  revokedAt: Nullable(Instant('When it was revoked.')),
  scopes: TokenScopes,
  networks: AllowedNetworks,
});

export const TokenList = ResponseObject('TokenList', 'All tokens, newest first.', {
  items: Type.Array(OperatorToken),
});

export const TokenIssue = RequestObject(
  'TokenIssue',
  'What the token is for, and what it may do.',
  {
    name: TokenName,
    role: Role,
    ...optional({
      expiresInDays: Type.Number({
        minimum: shortestDays,
        maximum: tokenDays.max,
        description: `Its lifetime in days: 0.5 is twelve hours. The default is ${tokenDays.default} days.`,
      }),
      scopes: Type.Array(Type.Enum([...operatorScopes]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'What it may do, of what its role may: a script needs less than a person. Absent: all of it.',
      }),
      networks: Networks,
    }),
  },
);

export const IssuedToken = ResponseObject('IssuedToken', 'A token that was just issued.', {
  tokenId: Uuid('The token.'),
  token: Text('Shown once: `Authorization: Bearer …`.'),
  name: TokenName,
  role: Role,
  scopes: TokenScopes,
  expiresAt: Instant('When it ends.'),
});

export const RequireSecondFactor = RequestObject(
  'RequireSecondFactor',
  'Whether a second factor is required.',
  { required: Flag('Whether everybody needs a second factor.') },
);

export const RequiredSecondFactor = ResponseObject(
  'RequiredSecondFactor',
  'Whether a second factor is required, and who has none.',
  {
    required: Flag('Whether everybody needs a second factor.'),
    without: Type.Array(Type.String(), {
      description: 'Who has a password and no second factor, by address.',
    }),
  },
);
