import { currentOrigin } from '../platform/audit/origin.ts';

const userAgentLength = 200;

/** From where a member of staff calls, as sessions and the audit trail keep it. */
export function currentCaller(): { address: string; userAgent: string } {
  const { address, userAgent = '' } = currentOrigin() ?? {};
  return { address: address ?? '', userAgent: userAgent.slice(0, userAgentLength) };
}
