import Type from 'typebox';
import { Instant, Nullable, ResponseObject } from '../../partner/schemas/primitives.ts';
import { Environment } from '../../partner/schemas/site.ts';

const Process = ResponseObject('Process', {
  host: Type.String({ description: 'The name of its machine.' }),
  port: Type.Integer({ description: 'The port that it listens on, with the role `api`.' }),
  roles: Type.Array(Type.String()),
  startedAt: Instant('When it started.'),
  seenAt: Instant('When it was last alive.'),
});

export const Settings = ResponseObject('Settings', 'How the service is set up.', {
  environment: Environment,
  baseUrl: Type.String({ description: 'The address of the service for partners.' }),
  wireVersion: Type.String({ description: 'The version of the contract.' }),
  node: Type.String({ description: 'The version of Node.' }),
  postgres: Type.String({ description: 'The version of PostgreSQL.' }),
  migration: Type.String({ description: 'The last migration that was applied.' }),
  cardProvider: Nullable(Type.String({ description: 'Null: no card payments.' })),
  recordsHost: Nullable(
    Type.String({ description: 'The host that reservations are posted to. Null: none.' }),
  ),
  sharedQuotas: Type.Boolean({ description: 'Whether quotas are kept in Redis or Valkey.' }),
  calendarMinutes: Type.Integer({ description: 'The time between two reads of a calendar.' }),
  processes: Type.Array(Process, { description: 'The processes on this database.' }),
});
