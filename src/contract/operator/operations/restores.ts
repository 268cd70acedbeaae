import type { OperatorRow } from '../row.ts';
import { DeclareRestore, Epoch } from '../schemas/restores.ts';

const tag = 'Restores';

/** Restores of the database, and what the card provider still had. */
export const restoreRows = {
  'operator.restore.get': {
    method: 'GET',
    path: '/operator/v1/restores/current',
    tag,
    summary: 'Read the current epoch',
    description:
      'An epoch begins when the database may have lost rows: after a restore, a failover, a longer stop.',
    scope: 'read',
    reply: { 200: Epoch },
    errors: ['not_found'],
    command: { name: 'restore show' },
  },
  'operator.restore.declare': {
    method: 'POST',
    path: '/operator/v1/restores',
    tag,
    summary: 'Say that the database was put back',
    description:
      'Begins an epoch: nothing is charged or refunded before the card provider was compared with the database.',
    scope: 'partners',
    stepUp: true,
    body: DeclareRestore,
    reply: { 200: Epoch },
    errors: [],
    command: { name: 'restore declare', note: 'Works with the service running and stopped.' },
  },
} as const satisfies Record<string, OperatorRow>;
