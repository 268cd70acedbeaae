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
} from '../administration/application-keys.ts';
import { lacksReport } from '../administration/required-report.ts';
import { issuedKeyView, keyView } from '../administration/views.ts';
import { type ApplicationKey, listKeys, revokeKey } from '../store/application-keys.ts';
import { findApplication, lockApplication } from '../store/applications.ts';
import { act } from './kinds.ts';

type OwnKey = PortalReplyOf<'portal.key.revoke'>['body'];

function ownKeyView(key: ApplicationKey): OwnKey {
  const { applicationId: _application, networks: _networks, ...view } = keyView(key);
  return view;
}

const isUsable = ({ state }: ApplicationKey): boolean => state === 'active';

/** Lists the keys, and whether the operator lets the partner change them. */
export const listOwnKeys = act('portal.key.list', {
  async reply({ context: { database }, actor: { applicationId } }) {
    const [keys, application] = await Promise.all([
      listKeys(database, applicationId),
      findApplication(database, applicationId),
    ]);
    const mayChange = application?.portalKeys ?? false;
    return { status: 200, body: { items: keys.map(ownKeyView), mayChange } };
  },
});

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

/** Issues a key. The response alone contains it. */
export const issueOwnKey = act('portal.key.issue', {
  async reply({ context: { database, environment }, actor, body }) {
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
    return isRefusal(issued) ? issued : { status: 201, body: issuedKeyView(issued) };
  },
});

/** Revokes a key. The last usable one needs a confirmation. */
export const revokeOwnKey = act('portal.key.revoke', {
  async reply({ context: { database }, actor: { applicationId, name }, params, body }) {
    const revoked = await auditedChange(
      database,
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
    return isRefusal(revoked) ? revoked : { status: 200, body: ownKeyView(revoked) };
  },
});
