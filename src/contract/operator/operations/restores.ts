import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { CloseEffect, DeclareRestore, EffectClosed, Epoch } from '../schemas/restores.ts';

/** Restores of the database, and what the card provider still had. */
export const restoreRows = tagged('Restores', {
  'operator.restore.get': {
    call: 'GET /operator/v1/restores/current',
    summary: 'Read the current epoch',
    description:
      'An epoch begins when the database may have lost rows: after a restore, a failover, a longer stop.',
    scope: 'read',
    reply: { 200: Epoch },
    errors: ['not_found'],
    command: { name: 'restore show' },
  },
  'operator.restore.declare': {
    call: 'POST /operator/v1/restores',
    summary: 'Say that the database was put back',
    description:
      'Begins an epoch: nothing is charged or refunded before the card provider was compared with the database.',
    scope: 'partners',
    stepUp: true,
    body: DeclareRestore,
    reply: { 200: Epoch },
    command: { name: 'restore declare', note: 'Works with the service running and stopped.' },
  },
  'operator.restore.close': {
    call: 'POST /operator/v1/restores/effects/{effectId}/close',
    summary: 'Say what was done about a payment or refund without a place in the database',
    description:
      'For what is `unmatched`: refund it in the dashboard of the card provider, or find out whose it is, and give the reason here. It waits for staff no longer. `conflict`: it is closed already, or has a place.',
    scope: 'money',
    stepUp: true,
    body: CloseEffect,
    reply: { 200: EffectClosed },
    errors: ['not_found', 'conflict'],
    command: { name: 'restore close' },
  },
} as const satisfies StatedRows);
