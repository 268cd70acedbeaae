import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import {
  ChangeRequest,
  ChangeRequestQuery as PartnerQuery,
} from '../../partner/schemas/change-request.ts';
import { operatorLimits } from '../limits.ts';
import { Cancellation, Change } from './reservations.ts';
import { PageOf, pageQuery } from './shared.ts';

export const ChangeRequestsQuery = Type.RequestObject({
  state: Type.Optional(
    Type.Described(
      PartnerQuery.properties.state,
      'Only requests in this state; open ones without it.',
    ),
  ),
  reference: Type.Optional(Type.GivenText(100, 'Only requests for this reservation.')),
  ...pageQuery,
});

const StaffChangeRequest = Type.ResponseObject(
  'StaffChangeRequest',
  'A request as the partner sees it.',
  {
    ...ChangeRequest.properties,
    listing: Type.Nullable(Type.Text('The slug of the home.')),
    listingName: Type.Nullable(Type.Text('The name of the home.')),
    guest: Type.Nullable(Type.Text("The guest's name.")),
    phone: Type.Nullable(Type.Text('How to reach the guest.')),
    applicationId: Type.Uuid('The application.'),
    application: Type.Text('Its name.'),
  },
);

export const ChangeRequestsPage = PageOf(
  StaffChangeRequest,
  'ChangeRequestsPage',
  'Requests for changes, newest first.',
);

const decision = {
  ...Type.AllOptional({
    applicationId: Type.UuidInput('The application, if several have the same ID.'),
    reason: Type.GivenText(operatorLimits.reasonLength, 'The partner sees it.', patterns.line),
    expectedTotal: Type.WholeFrom(
      0,
      Number.MAX_SAFE_INTEGER,
      'The total that you have seen, in minor units: of the changed stay, or of the one to cancel. `precondition_failed` if it is another. Absent: any.',
    ),
  }),
};

export const AcceptChangeRequest = Type.RequestObject('AcceptChangeRequest', decision);

export const DeclineChangeRequest = Type.RequestObject('DeclineChangeRequest', decision);

export const AcceptedChange = Type.ResponseObject(
  'AcceptedChange',
  'The request, with the cancellation or change that it leads to.',
  {
    ...StaffChangeRequest.properties,
    dryRun: Type.Flag('Nothing was changed.'),
    cancellation: Type.Nullable(Cancellation),
    change: Type.Nullable(Change),
  },
);

export const DeclinedChange = StaffChangeRequest;
