import { randomUUID } from 'node:crypto';
import type { CaptureSignal } from '../../src/contract/partner/schemas/signal.ts';
import { sql } from './catalog.ts';
import type { CallReply, Partner } from './partner.ts';
import type { TestService } from './service.ts';

/** A signal that nothing is wrong with. */
export const plainSignal = (): CaptureSignal & { signalId: string } => ({
  signalId: randomUUID(),
  name: 'search_submitted',
  routeFamily: 'search',
});

/** Sends a signal unchanged and returns any response. */
export const sendSignal = (partner: Partner, body: object, session?: string): Promise<CallReply> =>
  partner.call('cdp.signal.capture', {
    rawBody: JSON.stringify(body),
    ...(session !== undefined && { session }),
  });

/** A signal as it is kept, without its digest and the time of its receipt; undefined: it is not. */
export async function keptSignal(
  service: TestService,
  signalId: string,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await sql(service, 'SELECT * FROM signals WHERE signal_id::text = $1', [signalId]);
  if (!row) return undefined;
  const { input_digest: _, received_at: __, ...rest } = row;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
}
