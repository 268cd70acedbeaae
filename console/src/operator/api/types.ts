/** The request and response types of the operator's API, derived from its operation table. */
import type {
  OperatorBodyOf,
  OperatorOperationId,
  OperatorQueryOf,
  OperatorReplyOf,
} from '#contract/operator/operations.ts';

type BodyOf<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

/** The filters of a list as strings; the service validates them. */
export type FilterOf<Id extends OperatorOperationId> = {
  [Name in Exclude<keyof OperatorQueryOf<Id>, 'limit'>]?: string | undefined;
};

export type AuditPage = BodyOf<'operator.audit.list'>;
export type AuditFilter = FilterOf<'operator.audit.list'>;

export type SignIn = OperatorBodyOf<'operator.session.begin'>;
export type Session = BodyOf<'operator.session.get'>;
export type SessionList = BodyOf<'operator.session.list'>;
export type Confirmation = OperatorBodyOf<'operator.session.stepUp'>;
export type Passkey = BodyOf<'operator.account.addPasskey'>;
export type NewFactor = BodyOf<'operator.account.beginSecondFactor'>;
export type Role = Session['role'];
type StaffList = BodyOf<'operator.staff.list'>;
export type StaffMember = StaffList['items'][number];
type TokenList = BodyOf<'operator.token.list'>;
export type OperatorToken = TokenList['items'][number];
export type TokenIssue = OperatorBodyOf<'operator.token.issue'>;
export type Settings = BodyOf<'operator.settings.get'>;
type SigningKeyList = BodyOf<'operator.signingKey.list'>;
export type SigningKey = SigningKeyList['items'][number];
type ApplicationList = BodyOf<'operator.application.list'>;
export type ListedApplication = ApplicationList['items'][number];
export type Application = BodyOf<'operator.application.change'>;
export type ApplicationInFull = BodyOf<'operator.application.get'>;
export type NewApplication = OperatorBodyOf<'operator.application.create'>;
export type ApplicationChange = OperatorBodyOf<'operator.application.change'>;
export type QuotaChange = OperatorBodyOf<'operator.application.setQuotas'>;
type KeyList = BodyOf<'operator.key.list'>;
export type PartnerKey = KeyList['items'][number];

export type GuestWanted = OperatorBodyOf<'operator.guest.find'>;
export type BookingOfGuest = BodyOf<'operator.guest.find'>['items'][number];
export type GuestErasure = BodyOf<'operator.guest.erase'>;
