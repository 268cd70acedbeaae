import { randomUUID } from 'node:crypto';
import { staffActs } from '../../api/staff-acts.ts';
import { refuseConflict, refuseOutsideOff } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { isCopy } from '../../platform/postgres/epochs.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { Reads } from '../../platform/postgres/replica.ts';
import { type AlertsReceiver, itemView, sendTestAlert } from '../alerts.ts';
import { attentionSources } from '../sources.ts';
import { countAttention, readAttention } from '../store/waiting.ts';

/** The dependencies of the list of what waits for people. */
export interface AttentionStaffContext {
  reads: Pick<Reads, 'run'>;
  /** Who is told; null: nobody. */
  alerts: AlertsReceiver | null;
}

const acts = staffActs<AttentionStaffContext>();

/** Lists what waits for people, longest first; `money`: only what is about money. */
async function waitingNow(executor: Executor, money = false) {
  const wanted = attentionSources.filter(({ isMoney }) => !money || isMoney);
  const atMost = operatorLimits.attentionItems;
  const items = await readAttention(executor, wanted, atMost + 1);
  return { items: items.slice(0, atMost).map(itemView), hasMore: items.length > atMost };
}

/** Lists the money that waits for people, longest first. */
export async function listMoneyWaiting(executor: Executor) {
  const { items, hasMore } = await waitingNow(executor, true);
  return { items: items.map(({ subject: _, ...item }) => item), hasMore };
}

/** Counts the money that waits for people, up to a number. */
export async function countMoneyWaiting(executor: Executor, atMost: number): Promise<number> {
  const sources = attentionSources.filter(({ isMoney }) => isMoney);
  return Math.min(await countAttention(executor, sources, atMost), atMost);
}

/** What staff do with the list of what waits for people. */
export const attentionActs = acts({
  'operator.attention.list': ({ context, query: { money } }) =>
    context.reads.run((from) => waitingNow(from, money)),
  async 'operator.alert.test'({ context: { alerts, reads } }) {
    if (await reads.run(isCopy)) return refuseOutsideOff('nobody is told');
    if (alerts === null) {
      return refuseConflict('Nobody is told: set LATCHKEY_ALERTS_URL.');
    }
    const id = `alert_${randomUUID()}_test`;
    const problem = await sendTestAlert(alerts, id, Date.now());
    if (problem === null) return { sentTo: alerts.url.host };
    return refuseConflict(`The alert was not accepted: ${problem}.`);
  },
});
