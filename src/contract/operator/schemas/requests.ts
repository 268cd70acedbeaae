/** The request log of an application. */
import * as Type from '../../type.ts';
import { LoggedRequest, LoggedRequestInFull, RequestQuery } from '../../portal/schemas/requests.ts';
import { pageQuery, PageOf } from './shared.ts';

export { LoggedRequestInFull };

const { method, status, code, operation } = RequestQuery.properties;

export const RequestsQuery = Type.RequestObject({
  method,
  status,
  code,
  operation,
  from: Type.Optional(Type.InstantInput('Only calls from this instant on.')),
  until: Type.Optional(Type.InstantInput('Only calls before this instant.')),
  ...pageQuery,
});

export const RequestsPage = PageOf(
  LoggedRequest,
  'RequestsPage',
  'Calls, newest first. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
);
