import Type from 'typebox';
import {
  Flag,
  Instant,
  Integer,
  Nullable,
  ResponseObject,
  Text,
} from '../../partner/schemas/primitives.ts';
import { Environment } from '../../partner/schemas/site.ts';

const Process = ResponseObject('Process', {
  host: Text('The name of its machine.'),
  port: Integer('The port that it listens on, with the role `api`.'),
  roles: Type.Array(Type.String()),
  startedAt: Instant('When it started.'),
  seenAt: Instant('When it was last alive.'),
});

export const Settings = ResponseObject('Settings', 'How the service is set up.', {
  environment: Environment,
  baseUrl: Text('The address of the service for partners.'),
  wireVersion: Text('The version of the contract.'),
  node: Text('The version of Node.'),
  postgres: Text('The version of PostgreSQL.'),
  migration: Text('The last migration that was applied.'),
  cardProvider: Nullable(Text('Null: no card payments.')),
  recordsHost: Nullable(Text('The host that reservations are posted to. Null: none.')),
  sharedQuotas: Flag('Whether quotas are kept in Redis or Valkey.'),
  calendarMinutes: Integer('The time between two reads of a calendar.'),
  processes: Type.Array(Process, { description: 'The processes on this database.' }),
});
