import type { ActiveEndpoint, LookedAt } from './store/claims.ts';

/** Which endpoints a process has to look at. */
export interface Agenda {
  /** To be looked at now, those that wait longest first. */
  readonly due: ReadonlySet<string>;
  /** What there is, as the database has it at this moment. */
  found(endpoints: readonly ActiveEndpoint[]): void;
  /** Events of an application were committed. */
  happened(applicationId: string): void;
  /** Somebody looks at these. */
  take(endpointIds: Iterable<string>): void;
  looked(endpoints: readonly LookedAt[]): void;
  /** An attempt has ended: there is room for another, if there is another. */
  ended(endpointId: string): void;
}

/** Nothing is known before it is found. */
export function createAgenda(): Agenda {
  const due = new Set<string>();
  /** At which there was more than there was room for. */
  const full = new Set<string>();
  const byApplication = new Map<string, string[]>();

  return {
    due,
    found(endpoints) {
      byApplication.clear();
      for (const { endpointId, applicationId, behind } of endpoints) {
        const siblings = byApplication.getOrInsert(applicationId, []);
        siblings.push(endpointId);
        if (behind) due.add(endpointId);
      }
      const active = new Set(endpoints.map(({ endpointId }) => endpointId));
      for (const ids of [due, full]) {
        for (const id of ids) if (!active.has(id)) ids.delete(id);
      }
    },
    happened(applicationId) {
      for (const id of byApplication.get(applicationId) ?? []) due.add(id);
    },
    take(endpointIds) {
      for (const id of endpointIds) due.delete(id);
    },
    looked(endpoints) {
      for (const { endpointId, more, lookAgain } of endpoints) {
        if (more) full.add(endpointId);
        else full.delete(endpointId);
        if (lookAgain) due.add(endpointId);
      }
    },
    ended(endpointId) {
      if (full.has(endpointId)) due.add(endpointId);
    },
  };
}
