import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/outside-stays.ts';

const flags = { externalId: 'external-id' } as const;
const path = '/operator/v1/outside-stays/{source}/{externalId}';

/** Nights that were sold elsewhere, reported by the system that sold them. */
export const outsideStayRows = tagged('Nights', {
  'operator.outsideStay.list': {
    call: 'GET /operator/v1/outside-stays',
    summary: 'List nights that other systems have sold',
    scope: 'read',
    query: schemas.OutsideStaysQuery,
    reply: { 200: schemas.OutsideStayPage },
    errors: ['not_found'],
    command: {
      name: 'outside-stay list',
      columns: ['source', 'externalId', 'listingId', 'from', 'to', 'reason'],
    },
  },
  'operator.outsideStay.get': {
    call: `GET ${path}`,
    summary: 'Show nights that another system has sold',
    scope: 'read',
    reply: { 200: schemas.OutsideStay },
    command: { name: 'outside-stay show', flags },
  },
  'operator.outsideStay.put': {
    call: `PUT ${path}`,
    summary: 'Say which nights another system has sold',
    description:
      'What is free is taken at once; what is not is in `conflicts`, and is taken as soon as it is free. With other dates or another home it moves in one step. The same call again changes nothing. 201: it is new.',
    scope: 'reservations',
    body: schemas.NewOutsideStay,
    reply: { 201: schemas.OutsideStay, 200: schemas.OutsideStay },
    errors: ['not_found', 'conflict'],
    command: { name: 'outside-stay put', flags, inOrder: ['from', 'to'] },
  },
  'operator.outsideStay.remove': {
    call: `DELETE ${path}`,
    summary: 'Say that another system has not sold these nights any more',
    description: 'Frees what nothing else has. Also if there is none.',
    scope: 'reservations',
    reply: { 204: null },
    errors: [],
    command: { name: 'outside-stay remove', flags },
  },
} as const satisfies StatedRows);
