/** Members of staff, their sessions, and tokens. */
import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Environment } from '../../partner/schemas/site.ts';
import { operatorLimits } from '../limits.ts';
import { operatorScopes, roles } from '../roles.ts';
import { AllowedNetworks, Networks } from './networks.ts';
import { expectedVersion, PageOf, shownVersion } from './shared.ts';

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

const LinkSecret = Type.GivenText(tokenLength, 'The part after `#invitation=` in the link.');

/** How a session confirms who uses it: by code, by passkey, by password, or by signing in again at the provider. */
const confirmations = ['code', 'passkey', 'password', 'provider'] as const;

export const SignInOptions = Type.ResponseObject('SignInOptions', 'How staff can sign in.', {
  environment: Environment,
  provider: Type.Nullable(Type.Text('The host of the OpenID provider. Null: there is none.')),
});

export const SignIn = Type.RequestObject(
  'SignIn',
  'Email address and password, and a code or passkey if there is a second factor.',
  {
    email: Email,
    password: GivenPassword,
    code: Type.Optional(Code),
    passkey: Type.Optional(Credential),
  },
);

export const ProviderAddress = Type.ResponseObject(
  'ProviderAddress',
  'The page of the OpenID provider.',
  {
    url: Type.Text('Where the browser signs in.'),
    pending: Type.Text('Send it back with the provider’s response, within ten minutes. Encrypted.'),
  },
);

export const ProviderAnswer = Type.RequestObject(
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

export const Confirmation = Type.RequestObject(
  'Confirmation',
  'A code or passkey; if there is no second factor, the password.',
  {
    password: Type.Optional(GivenPassword),
    code: Type.Optional(Code),
    passkey: Type.Optional(Credential),
  },
);

export const StaffSession = Type.ResponseObject(
  'StaffSession',
  'The session of a member of staff.',
  {
    sessionId: Type.Uuid('The session.'),
    staffId: Type.Uuid('The member of staff.'),
    email: Type.String(),
    role: Role,
    hasPassword: Type.Boolean(),
    hasSecondFactor: Type.Flag('Whether a code or a passkey is asked for.'),
    hasCode: Type.Flag('Whether it has one-time codes.'),
    hasPasskey: Type.Flag('Whether it has a passkey.'),
    mustAddSecondFactor: Type.Flag(
      'Everything but the own account is 403 `second_factor` until one is added.',
    ),
    confirmBy: Type.Enum([...confirmations], { description: 'How to make a step-up.' }),
    steppedUpUntil: Type.Instant(
      'Until when secrets and money are accessible without another step-up.',
    ),
    expiresAt: Type.Instant('When it ends at the latest.'),
    environment: Environment,
    isCopy: Type.Flag('This is a copy that calls nothing outside (`LATCHKEY_OUTSIDE=off`).'),
    baseUrl: Type.Text('The address of the service for partners.'),
  },
);

const ListedSession = Type.ResponseObject('ListedSession', {
  sessionId: Type.Uuid('The session.'),
  isCurrent: Type.Flag('Whether this call was made in it.'),
  createdAt: Type.Instant('When it began.'),
  seenAt: Type.Instant('When it was last used, to the minute.'),
  expiresAt: Type.Instant('When it ends at the latest.'),
  address: Type.Text('The address from which it began.'),
  userAgent: Type.Text('The browser in which it began.'),
});

export const SessionList = Type.ListOf(
  ListedSession,
  'SessionList',
  'The sessions of the caller, newest first.',
);

export const PasskeySignIn = Type.RequestObject('PasskeySignIn', 'Email address and password.', {
  email: Email,
  password: GivenPassword,
});

export const PasskeyOptions = Type.ResponseObject(
  'PasskeyOptions',
  'What the browser needs to make or use a passkey.',
  {
    options: Type.Text(
      'JSON for `navigator.credentials`: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.',
    ),
  },
);

const PasskeyName = Type.GivenText(
  operatorLimits.passkeyNameLength,
  'What the member calls it.',
  patterns.text,
);

export const AddPasskey = Type.RequestObject('AddPasskey', 'A passkey that the browser has made.', {
  name: PasskeyName,
  credential: Credential,
});

export const Passkey = Type.ResponseObject('Passkey', 'A passkey of the caller.', {
  passkeyId: Type.Uuid('The passkey.'),
  name: PasskeyName,
  createdAt: Type.Instant('When it was added.'),
  usedAt: Type.Nullable(Type.Instant('When it was last used.')),
});

export const PasskeyList = Type.ListOf(
  Passkey,
  'PasskeyList',
  'The passkeys of the caller, oldest first.',
);

export const FindInvitation = Type.RequestObject('FindInvitation', 'The link.', {
  invitation: LinkSecret,
});

export const Invitation = Type.ResponseObject(
  'Invitation',
  'The account whose password the link sets.',
  { email: Type.Text('The address to sign in with.'), role: Role },
);

export const AcceptInvitation = Type.RequestObject(
  'AcceptInvitation',
  'The link and the new password.',
  { invitation: LinkSecret, password: NewPassword },
);

export const AcceptedInvitation = Type.ResponseObject('AcceptedInvitation', 'The account.', {
  email: Type.Text('The address to sign in with.'),
});

export const PasswordChange = Type.RequestObject('PasswordChange', 'The new password.', {
  password: NewPassword,
});

export const NewFactor = Type.ResponseObject(
  'NewFactor',
  'A second factor that waits for its first code.',
  {
    secret: Type.Text('The secret, in base32, to type into an app.'),
    url: Type.Text('The same as an `otpauth:` address, to show as QR code.'),
  },
);

export const FactorCode = Type.RequestObject(
  'FactorCode',
  'The first code of a new second factor.',
  {
    code: Code,
  },
);

export const StaffMember = Type.ResponseObject('StaffMember', 'A member of staff.', {
  staffId: Type.Uuid('The member of staff.'),
  email: Type.String(),
  role: Role,
  state: Type.Enum(['active', 'invited', 'disabled'], {
    $id: 'StaffState',
    description: '`invited`: has not set a password and has never signed in.',
  }),
  hasSecondFactor: Type.Boolean(),
  sessions: Type.Whole('How many sessions are open.'),
  signedInAt: Type.Nullable(Type.Instant('When it last signed in.')),
  invitedUntil: Type.Nullable(Type.Instant('Until when an invitation can be accepted.')),
  createdAt: Type.Instant('When the account was made.'),
  version: shownVersion,
});

export const StaffList = Type.ListOf(
  StaffMember,
  'StaffList',
  'All members of staff, by email address.',
);

export const Invite = Type.RequestObject(
  'Invite',
  'A new member of staff, or one that needs a new link.',
  { email: Email, role: Role },
);

export const IssuedInvitation = Type.ResponseObject(
  'IssuedInvitation',
  'The link of an invitation.',
  {
    url: Type.Text('Shown once. It sets the password of the account, one time.'),
    expiresAt: Type.Instant('Until when it can be used.'),
  },
);

export const StaffChange = Type.RequestObject('StaffChange', 'The new role.', {
  role: Role,
  ...expectedVersion,
});

// A minute.
const shortestDays = 1 / 1_440;

const TokenName = Type.GivenText(
  tokenNameLength,
  'What it is for; its name in the audit trail.',
  patterns.text,
);

const TokenScopes = Type.Nullable(
  Type.Array(Type.String(), {
    description: 'What it may do, of what its role may; null: all of it.',
  }),
);

export const OperatorToken = Type.ResponseObject('OperatorToken', 'A token, without its secret.', {
  tokenId: Type.Uuid('The token.'),
  name: TokenName,
  role: Role,
  state: Type.Enum(['active', 'expired', 'revoked'], { $id: 'TokenState' }),
  createdAt: Type.Instant('When it was issued.'),
  expiresAt: Type.Instant('When it ends.'),
  revokedAt: Type.Nullable(Type.Instant('When it was revoked.')),
  scopes: TokenScopes,
  networks: AllowedNetworks,
});

export const TokenList = PageOf(OperatorToken, 'TokenList', 'A page of the tokens, newest first.');

export const TokenIssue = Type.RequestObject(
  'TokenIssue',
  'What the token is for, and what it may do.',
  {
    name: TokenName,
    role: Role,
    ...Type.AllOptional({
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

export const IssuedToken = Type.ResponseObject('IssuedToken', 'A token that was just issued.', {
  tokenId: Type.Uuid('The token.'),
  token: Type.Text('Shown once: `Authorization: Bearer …`.'),
  name: TokenName,
  role: Role,
  scopes: TokenScopes,
  expiresAt: Type.Instant('When it ends.'),
});

export const RequireSecondFactor = Type.RequestObject(
  'RequireSecondFactor',
  'Whether a second factor is required.',
  { required: Type.Flag('Whether everybody needs a second factor.') },
);

export const RequiredSecondFactor = Type.ResponseObject(
  'RequiredSecondFactor',
  'Whether a second factor is required, and who has none.',
  {
    required: Type.Flag('Whether everybody needs a second factor.'),
    without: Type.Array(Type.String(), {
      description: 'Who has a password and no second factor, by address.',
    }),
  },
);
