import type { Application } from '../store/applications.ts';

/** What a change can give a partner: each says whether there is more of it after the change. */
const gains: readonly ((before: Application, after: Application) => boolean)[] = [
  (before, after) => after.grants.some((grant) => !before.grants.includes(grant)),
  (before, after) => after.portalKeys && !before.portalKeys,
  (before, after) => before.requireReport && !after.requireReport,
  (before, after) => after.changes === 'cancel' && before.changes !== 'cancel',
  (before, after) => after.adjustPercent < before.adjustPercent,
];

/** Whether a change gives a partner access that it had not, or cheaper stays. Spec: OPERATOR-15. */
export const givesMore = (before: Application, after: Application): boolean =>
  gains.some((isGained) => isGained(before, after));
