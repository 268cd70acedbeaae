import Type from 'typebox';
import { patterns } from '../../patterns.ts';
import {
  ChangeRequest,
  ChangeRequestQuery as PartnerQuery,
} from '../../partner/schemas/change-request.ts';
import {
  Described,
  Flag,
  Nullable,
  optional,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';
import { Cancellation, Change } from './reservations.ts';
import { PageOf, pageQuery } from './shared.ts';

export const ChangeRequestsQuery = RequestObject({
  state: Type.Optional(
    Described(PartnerQuery.properties.state, 'Only requests in this state; open ones without it.'),
  ),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only requests for this reservation.',
    }),
  ),
  ...pageQuery,
});

const StaffChangeRequest = ResponseObject(
  'StaffChangeRequest',
  'A request as the partner sees it.',
  {
    ...ChangeRequest.properties,
    listing: Nullable(Text('The slug of the home.')),
    listingName: Nullable(Text('The name of the home.')),
    guest: Nullable(Text("The guest's name.")),
    phone: Nullable(Text('How to reach the guest.')),
    applicationId: Uuid('The application.'),
    application: Text('Its name.'),
  },
);

export const ChangeRequestsPage = PageOf(
  StaffChangeRequest,
  'ChangeRequestsPage',
  'Requests for changes, newest first.',
);

const decision = {
  ...optional({
    applicationId: UuidInput('The application, if several have the same ID.'),
    reason: Type.String({
      minLength: 1,
      maxLength: operatorLimits.reasonLength,
      pattern: patterns.line.pattern,
      description: 'The partner sees it.',
    }),
    expectedTotal: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The total that you have seen, in minor units: of the changed stay, or of the one to cancel. `precondition_failed` if it is another. Absent: any.',
    }),
  }),
};

export const AcceptChangeRequest = RequestObject('AcceptChangeRequest', decision);

export const DeclineChangeRequest = RequestObject('DeclineChangeRequest', decision);

export const AcceptedChange = ResponseObject(
  'AcceptedChange',
  'The request, with the cancellation or change that it leads to.',
  {
    ...StaffChangeRequest.properties,
    dryRun: Flag('Nothing was changed.'),
    cancellation: Nullable(Cancellation),
    change: Nullable(Change),
  },
);

export const DeclinedChange = StaffChangeRequest;
