/** Unusual prices that a pricing tool has set: they wait until staff say that they are meant. */
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { AttentionSource } from '../platform/attention-source.ts';
import type { Database } from '../platform/postgres/database.ts';
import { deleteUnusualRates } from './store/unusual-rates.ts';

/** The calls with unusual prices that wait for staff. Spec: FILE-13. */
export const priceAttention: AttentionSource = {
  name: 'unusual-rates',
  isMoney: false,
  words: ({ reason }) => reason,
  text: `SELECT change_id::text AS subject, 'unusual_prices' AS kind, NULL::uuid AS application_id,
      NULL::uuid AS checkout_id, NULL::text AS reference, listing_id, price_minor AS amount, currency,
      about AS reason, NULL::text AS code, set_at AS since, NULL::timestamptz AS deadline
    FROM unusual_rates`,
};

/** Closes the item of a call with unusual prices. False: there is none with this ID. */
export async function confirmUnusual(
  database: Database,
  actor: string,
  changeId: string,
): Promise<boolean> {
  const removed = await auditedChange(
    database,
    (executor) => deleteUnusualRates(executor, changeId),
    ({ about }) => ({ actor, action: 'rate.confirm-unusual', details: { changeId, about } }),
  );
  return removed !== undefined;
}
