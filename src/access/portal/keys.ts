/** The keys of an application, as partners manage them in the portal. */
import { daySeconds } from '../../contract/time.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import {
  insertNewKey,
  type IssuedKey,
  keyIssuedEntry,
  keyRevokedEntry,
} from '../staff/application-keys.ts';
import { lacksReport } from '../staff/required-report.ts';
import { issuedKeyView, keyView } from '../staff/views.ts';
import { type ApplicationKey, listKeys, revokeKey } from '../store/application-keys.ts';
import { findApplication, lockApplication } from '../store/applications.ts';
import type { PortalContext } from './context.ts';
import { portalActs } from './kinds.ts';

type OwnKey = PortalReplyOf<'portal.key.revoke'>['body'];

function ownKeyView(key: ApplicationKey): OwnKey {
  const { applicationId: _application, networks: _networks, ...view } = keyView(key);
  return view;
}

const isUsable = ({ state }: ApplicationKey): boolean => state === 'active';

type KeyRefusal = Refusal<'policy_restricted' | 'unauthenticated'>;

/**
 * Within a transaction: reads the keys of an application that may change them. Concurrent changes wait, so
 * that two of them cannot together revoke all keys.
 */
async function changeableKeys(
  executor: Executor,
  applicationId: string,
): Promise<ApplicationKey[] | KeyRefusal> {
  await lockApplication(executor, applicationId);
  const application = await findApplication(executor, applicationId);
  // It may be suspended since its session was checked.
  if (application?.suspendedAt !== null) return refusePortal('unauthenticated', 'session');
  if (!application.portalKeys) return refusePortal('policy_restricted', 'keys_by_operator');
  return listKeys(executor, applicationId);
}

/** What a partner does with its keys. The reply to an issue alone contains the key; the last usable one needs a confirmation. */
export const ownKeyActs = portalActs<PortalContext>()({
  'portal.key.list': async ({ context: { database }, actor: { applicationId } }) => {
    const [keys, application] = await Promise.all([
      listKeys(database, applicationId),
      findApplication(database, applicationId),
    ]);
    return { items: keys.map(ownKeyView), mayChange: application?.portalKeys ?? false };
  },
  'portal.key.issue': async ({ context: { database, environment }, actor, body }) => {
    const { applicationId, name } = actor;
    const days = body.expiresInDays;
    const lifetimeSeconds = days === undefined ? undefined : days * daySeconds;
    const issued = await auditedChange(
      database,
      async (executor): Promise<IssuedKey | KeyRefusal> => {
        const keys = await changeableKeys(executor, applicationId);
        if (isRefusal(keys)) return keys;
        const application = (await findApplication(executor, applicationId))!;
        if (await lacksReport(executor, application, environment)) {
          return refusePortal('policy_restricted', 'report_required');
        }
        if (keys.filter(isUsable).length >= portalLimits.usableKeys) {
          return refusePortal('policy_restricted', 'too_many_keys');
        }
        // Each change reads them all.
        if (keys.length >= portalLimits.keysEver) {
          return refusePortal('policy_restricted', 'too_many_keys_ever');
        }
        return insertNewKey(executor, { environment, applicationId, lifetimeSeconds });
      },
      (key) => keyIssuedEntry(name, applicationId, key),
    );
    return isRefusal(issued) ? issued : issuedKeyView(issued);
  },
  'portal.key.revoke': async ({ context, actor: { applicationId, name }, params, body }) => {
    const revoked = await auditedChange(
      context.database,
      async (executor) => {
        const keys = await changeableKeys(executor, applicationId);
        if (isRefusal(keys)) return keys;
        const key = keys.find(({ keyId }) => keyId === params.keyId);
        if (!key) return refusePortal('not_found');
        const isLast = isUsable(key) && keys.filter(isUsable).length === 1;
        if (isLast && body.lastToo !== true) return refusePortal('policy_restricted', 'last_key');
        return revokeKey(executor, params.keyId);
      },
      (key) => keyRevokedEntry(name, key),
    );
    if (!revoked) return refusePortal('not_found');
    return isRefusal(revoked) ? revoked : ownKeyView(revoked);
  },
});
