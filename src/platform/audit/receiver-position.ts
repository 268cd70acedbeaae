/** How far a receiver of the audit trail has accepted it. */
import type { EpochMs } from '../../contract/time.ts';
import { noRows, oneRow } from '../postgres/statement-functions.ts';

/** Links that this process sends until the lease ends. */
export interface AuditClaim {
  receiver: string;
  /** They follow this position. */
  position: number;
  attempts: number;
  now: EpochMs;
}

/** Claims what follows the last accepted link; no other process gets it until the lease ends. */
export const claimAuditLinks = oneRow<[receiver: string, leaseSeconds: number], AuditClaim>({
  name: 'claim-audit-links',
  text: `WITH known AS (
      INSERT INTO audit_receivers (receiver) VALUES ($1) ON CONFLICT (receiver) DO NOTHING
    )
    UPDATE audit_receivers r SET due_at = now() + make_interval(secs => $2), attempts = attempts + 1
    WHERE receiver = $1 AND due_at <= now()
      AND EXISTS (SELECT FROM audit_chain c WHERE c.position > r.position)
    RETURNING receiver, position, attempts, now() AS now`,
});

/** Writes that the receiver has accepted the links up to a position. */
export const acceptAuditLinks = noRows<[auditClaim: AuditClaim, until: number]>({
  name: 'accept-audit-links',
  text: `UPDATE audit_receivers SET position = $3, due_at = now(), attempts = 0, problem = NULL, failing_since = NULL
    WHERE receiver = $1 AND position = $2`,
  values: ({ receiver, position }, until) => [receiver, position, until],
});

/** Writes why the receiver did not accept the links, and in how many seconds they are sent again. */
export const refuseAuditLinks = noRows<
  [auditClaim: AuditClaim, problem: string, againInSeconds: number]
>({
  name: 'refuse-audit-links',
  text: `UPDATE audit_receivers SET problem = $3, failing_since = coalesce(failing_since, now()),
      due_at = now() + make_interval(secs => $4)
    WHERE receiver = $1 AND position = $2`,
  values: ({ receiver, position }, problem, againInSeconds) => [
    receiver,
    position,
    problem,
    againInSeconds,
  ],
});
