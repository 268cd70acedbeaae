/** Signed reports of runs. */
import type { SigningKeys } from '../../access/index.ts';
import type { Run } from '../../contract/sandbox/conformance.ts';
import type { EpochMs } from '../../contract/time.ts';

/** The type of a report, in its protected header. */
export const reportType = 'conformance-report+jwt';

/** What signing needs. */
export interface ReportContext {
  keys: Pick<SigningKeys, 'ready' | 'current'>;
  baseUrl: string;
  now(): EpochMs;
}

/** The report of a run: a compact JWS. Spec: SANDBOX-4. */
export async function signReport(
  { keys, baseUrl, now }: ReportContext,
  applicationId: string,
  run: Run,
): Promise<string> {
  // Loaded with the first report: a start needs none.
  const { CompactSign } = await import('jose/jws/compact/sign');
  await keys.ready();
  const { keyId, privateKey } = keys.current();
  const claims = { iss: baseUrl, sub: applicationId, iat: Math.floor(now() / 1_000), run };
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'EdDSA', typ: reportType, kid: keyId })
    .sign(privateKey);
}
