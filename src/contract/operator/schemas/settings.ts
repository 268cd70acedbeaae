import * as Type from '../../type.ts';
import { Environment } from '../../partner/schemas/site.ts';

const Process = Type.ResponseObject('Process', {
  host: Type.Text('The name of its machine.'),
  port: Type.Whole('The port that it listens on, with the role `api`.'),
  roles: Type.Array(Type.String()),
  startedAt: Type.Instant('When it started.'),
  seenAt: Type.Instant('When it was last alive.'),
});

export const Settings = Type.ResponseObject('Settings', 'How the service is set up.', {
  environment: Environment,
  baseUrl: Type.Text('The address of the service for partners.'),
  wireVersion: Type.Text('The version of the contract.'),
  node: Type.Text('The version of Node.'),
  postgres: Type.Text('The version of PostgreSQL.'),
  migration: Type.Text('The last migration that was applied.'),
  cardProvider: Type.Nullable(Type.Text('Null: no card payments.')),
  recordsHost: Type.Nullable(Type.Text('The host that reservations are posted to. Null: none.')),
  sharedQuotas: Type.Flag('Whether quotas are kept in Redis or Valkey.'),
  calendarMinutes: Type.Whole('The time between two reads of a calendar.'),
  processes: Type.Array(Process, { description: 'The processes on this database.' }),
});
