import Type from 'typebox';
import { KnownErrorCode } from '../../partner/schemas/error.ts';
import {
  Cursor,
  Described,
  Instant,
  optional,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { patterns } from '../../patterns.ts';
import { portalLimits } from '../limits.ts';
import { paged } from './shared.ts';

/** The methods of the operations, as the request log shows them. */
const loggedMethods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export const RequestQuery = RequestObject({
  ...optional({
    about: Type.String({
      pattern: patterns.subjects.pattern,
      description: `Only calls about these checkouts, reservation requests, quotes or reservations: up to ${portalLimits.aboutAtOnce} IDs or references, separated by commas.`,
    }),
    method: Type.Enum([...loggedMethods], { description: 'Only this method.' }),
    status: Type.String({
      pattern: patterns.statusOrClass.pattern,
      description: 'Only this status (`404`) or class (`4xx`).',
    }),
    code: Described(KnownErrorCode, 'Only this error.'),
    operation: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only this operation, by its `operationId` in the contract.',
    }),
  }),
  ...paged,
});

const loggedMembers = {
  requestId: Uuid('The `x-request-id` of the response.'),
  at: Instant('When the call arrived.'),
  method: Type.String(),
  path: Text(
    'The path without the query. Valid IDs are shown; other values in the place of an ID appear as `{name}`, unknown parts of a path as `{unknown}`.',
  ),
  operation: Type.Union([Type.String(), Type.Null()], {
    description: 'Null: there is no such path, or not with this method.',
  }),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Null: the sandbox has ended the connection in place of a response.',
  }),
  code: Type.Union([Type.String(), Type.Null()], { description: 'The code of an error.' }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'The `details.reason` of an error.',
  }),
  durationMs: Type.Integer({ minimum: 0 }),
  fault: Type.Union([Type.String(), Type.Null()], {
    description: 'What the sandbox did to the call because you had ordered it.',
  }),
  listingId: Type.Union([Type.String(), Type.Null()], {
    description: 'The home that a valid call was about; null: none.',
  }),
  home: Type.Union([Type.String(), Type.Null()], { description: 'Its name.' }),
  checkIn: Type.Union([Type.String(), Type.Null()], {
    description: 'The arrival that a valid call was about; null: none.',
  }),
  checkOut: Type.Union([Type.String(), Type.Null()], { description: 'The departure.' }),
};

export const LoggedRequest = ResponseObject(
  'LoggedRequest',
  'A call of your application.',
  loggedMembers,
);

export const LoggedRequestInFull = ResponseObject(
  'LoggedRequestInFull',
  'A call with everything that is kept of it.',
  {
    ...loggedMembers,
    message: Type.Union([Type.String(), Type.Null()], {
      description: 'The meaning of the code and reason.',
    }),
    invalidFields: Type.Array(
      ResponseObject('LoggedField', 'A field that was not valid.', {
        path: Text(
          'Where: a JSON Pointer into the body, or `query/…`, `path/…`, `header/…`. Names that the operation does not know appear as `{unknown}`.',
        ),
        message: Text('What is wrong there.'),
      }),
      {
        description: `The fields that were not valid, at most ${portalLimits.invalidFields}; never their values.`,
      },
    ),
    about: Type.Union([Type.String(), Type.Null()], {
      description: 'The checkout, reservation request, quote or reservation that it is about.',
    }),
  },
);

export const RequestPage = ResponseObject('RequestPage', 'Calls, newest first.', {
  items: Type.Array(LoggedRequest),
  nextCursor: Type.Union([Cursor, Type.Null()], {
    description:
      'Null: no more items. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
  }),
});
