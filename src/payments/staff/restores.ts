/** Restores of the database, as staff see and declare them. */
import { staffActs } from '../../api/staff-acts.ts';
import { isRefusal, refuseBecause } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import { instant } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor, Statement } from '../../platform/postgres/database.ts';
import { currentEpoch, declareEpoch, type Epoch } from '../../platform/postgres/epochs.ts';
import { closeAdoptedEffect, isEffectNoted, listAdoptedEffects } from '../store/adoption.ts';

const movesStatement: Statement = {
  name: 'money-moves',
  text: 'SELECT may_move_money() AS "moneyMoves"',
};

async function epochView(executor: Executor, found: Epoch) {
  const { epoch, reason, beganAt, listedSince, adoptedAt } = found;
  const [row] = await executor.query<{ moneyMoves: boolean }>(movesStatement);
  const effects = await listAdoptedEffects(executor, epoch);
  return {
    epoch,
    reason,
    beganAt: instant(beganAt),
    comparedSince: instant(listedSince),
    comparedAt: instant(adoptedAt),
    moneyMoves: row!.moneyMoves,
    effects: effects.map(({ amountMinor, ...effect }) => ({ ...effect, amount: amountMinor })),
  };
}

const restoreActsOf = staffActs<{ database: Database }>();

/** What staff do about restores. */
export const restoreActs = restoreActsOf({
  'operator.restore.get': async ({ context: { database } }) => {
    const epoch = await currentEpoch(database);
    if (epoch) return epochView(database, epoch);
    return refuseBecause('not_found', 'No epoch has begun: the service has not been started yet.');
  },
  'operator.restore.declare': async ({ context: { database }, actor, body: { reason } }) => {
    const epoch = await auditedChange(
      database,
      (executor) => declareEpoch(executor, reason),
      ({ epoch: begun }) => ({
        actor: actor.name,
        action: 'restore.declare',
        details: { reason, epoch: begun },
      }),
    );
    return epochView(database, epoch);
  },
  'operator.restore.close': async ({ context, actor, params: { effectId }, body: { reason } }) => {
    const { database } = context;
    if (!(await isEffectNoted(database, effectId))) {
      return refuseBecause('not_found', `No restore has found ${effectId}.`);
    }
    const closed = await auditedChange(
      database,
      async (executor) =>
        (await closeAdoptedEffect(executor, effectId)) ??
        refuseConflict(`${effectId} does not wait for staff.`),
      ({ applicationId, amountMinor, currency }) => ({
        actor: actor.name,
        action: 'restore.close',
        applicationId,
        details: { reason, effect: effectId, amount: amountMinor, currency },
      }),
    );
    if (isRefusal(closed)) return closed;
    const { amountMinor, closedAt, ...effect } = closed;
    return { ...effect, amount: amountMinor, closedAt: instant(closedAt) };
  },
});
