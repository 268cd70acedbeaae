/** The request log of an application. */
import Type from 'typebox';
import { LoggedRequest, RequestQuery } from '../../portal/schemas.ts';
import { pageQuery, PageOf } from './shared.ts';

const { method, status, code, operation } = RequestQuery.properties;

export const RequestsQuery = Type.Object(
  { method, status, code, operation, ...pageQuery },
  { additionalProperties: false },
);

export const RequestsPage = PageOf(
  LoggedRequest,
  'RequestsPage',
  'Calls, newest first. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
);
