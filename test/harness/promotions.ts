import { randomUUID } from 'node:crypto';
import { writePromotions, type NewPromotion } from '../../src/catalog/store/promotions.ts';
import { onlyCatalog, sql } from './catalog.ts';
import type { OpenCheckout, Partner } from './partner.ts';
import type { TestService } from './service.ts';
import { unlimited } from './unlimited-promotion.ts';

/** Writes a promotion of 10 % off, but for what is named, under a code of its own; returns the code. */
export async function newPromotion(
  { database }: TestService,
  limits: Partial<NewPromotion> = {},
): Promise<string> {
  const code = `TEST-${randomUUID().slice(0, 8).toUpperCase()}`;
  await writePromotions(database, [
    {
      catalogId: limits.catalogId ?? (await onlyCatalog(database)),
      code,
      label: 'Ten off',
      percent: 10,
      amount: null,
      currency: null,
      ...unlimited,
      ...limits,
    },
  ]);
  return code;
}

/** How many uses of a promotion are counted. */
export async function usesOf(service: TestService, code: string): Promise<number> {
  const [row] = await sql<{ uses: number }>(
    service,
    'SELECT uses FROM promotions WHERE code = $1',
    [code],
  );
  return row!.uses;
}

/** Applies a code to a checkout and returns any response. */
export const applyCode = (
  partner: Partner,
  open: OpenCheckout,
  code: string,
  expectedVersion: number,
) =>
  partner.call('reservation.checkout.applyPromo', { ...open.at, body: { expectedVersion, code } });

/** Lets the quote of a checkout expire. */
export async function expireQuote(service: TestService, quoteId: string): Promise<void> {
  await sql(
    service,
    `UPDATE quotes SET created_at = created_at - interval '1 hour',
      expires_at = expires_at - interval '1 hour' WHERE quote_id = $1`,
    [quoteId],
  );
}
