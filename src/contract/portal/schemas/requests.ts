import * as Type from '../../type.ts';
import { KnownErrorCode } from '../../partner/schemas/error.ts';
import { Cursor } from '../../partner/schemas/primitives.ts';
import { patterns } from '../../patterns.ts';
import { portalLimits } from '../limits.ts';
import { paged } from './shared.ts';

/** The methods of the operations, as the request log shows them. */
const loggedMethods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export const RequestQuery = Type.RequestObject({
  ...Type.AllOptional({
    about: Type.String({
      pattern: patterns.subjects.pattern,
      description: `Only calls about these checkouts, reservation requests, quotes or reservations: up to ${portalLimits.aboutAtOnce} IDs or references, separated by commas.`,
    }),
    method: Type.Enum([...loggedMethods], { description: 'Only this method.' }),
    status: Type.String({
      pattern: patterns.statusOrClass.pattern,
      description: 'Only this status (`404`) or class (`4xx`).',
    }),
    code: Type.Described(KnownErrorCode, 'Only this error.'),
    operation: Type.GivenText(100, 'Only this operation, by its `operationId` in the contract.'),
  }),
  ...paged,
});

const loggedMembers = {
  requestId: Type.Uuid('The `x-request-id` of the response.'),
  at: Type.Instant('When the call arrived.'),
  method: Type.String(),
  path: Type.Text(
    'The path without the query. Valid IDs are shown; other values in the place of an ID appear as `{name}`, unknown parts of a path as `{unknown}`.',
  ),
  operation: Type.Nullable(Type.String(), 'Null: there is no such path, or not with this method.'),
  status: Type.Nullable(
    Type.Integer(),
    'Null: the sandbox has ended the connection in place of a response.',
  ),
  code: Type.Nullable(Type.String(), 'The code of an error.'),
  reason: Type.Nullable(Type.String(), 'The `details.reason` of an error.'),
  durationMs: Type.Integer({ minimum: 0 }),
  fault: Type.Nullable(
    Type.String(),
    'What the sandbox did to the call because you had ordered it.',
  ),
  listingId: Type.Nullable(Type.String(), 'The home that a valid call was about; null: none.'),
  home: Type.Nullable(Type.String(), 'Its name.'),
  checkIn: Type.Nullable(Type.String(), 'The arrival that a valid call was about; null: none.'),
  checkOut: Type.Nullable(Type.String(), 'The departure.'),
};

export const LoggedRequest = Type.ResponseObject(
  'LoggedRequest',
  'A call of your application.',
  loggedMembers,
);

export const LoggedRequestInFull = Type.ResponseObject(
  'LoggedRequestInFull',
  'A call with everything that is kept of it.',
  {
    ...loggedMembers,
    message: Type.Nullable(Type.String(), 'The meaning of the code and reason.'),
    invalidFields: Type.Array(
      Type.ResponseObject('LoggedField', 'A field that was not valid.', {
        path: Type.Text(
          'Where: a JSON Pointer into the body, or `query/…`, `path/…`, `header/…`. Names that the operation does not know appear as `{unknown}`.',
        ),
        message: Type.Text('What is wrong there.'),
      }),
      {
        description: `The fields that were not valid, at most ${portalLimits.invalidFields}; never their values.`,
      },
    ),
    about: Type.Nullable(
      Type.String(),
      'The checkout, reservation request, quote or reservation that it is about.',
    ),
  },
);

export const RequestPage = Type.ResponseObject('RequestPage', 'Calls, newest first.', {
  items: Type.Array(LoggedRequest),
  nextCursor: Type.Nullable(
    Cursor,
    'Null: no more items. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
  ),
});
