import type { ActiveEndpoint, ExaminedEndpoint } from './store/claims.ts';

/** Tracks which endpoints this process must claim deliveries for. */
export interface Agenda {
  /** The endpoints to claim now, longest waiting first. */
  readonly due: ReadonlySet<string>;
  /** Replaces the known endpoints by those that the database has now. */
  found(endpoints: readonly ActiveEndpoint[]): void;
  /** Call after events of an application were committed. */
  happened(applicationId: string): void;
  /** Removes endpoints for which a claim starts. */
  take(endpointIds: Iterable<string>): void;
  examined(endpoints: readonly ExaminedEndpoint[]): void;
  /** Call after an attempt has ended, so that a slot is free. True: the endpoint has more to send. */
  ended(endpointId: string): boolean;
  /** Makes the endpoints due whose slots became free: those of a few milliseconds are filled by one claim. */
  refill(): void;
}

/** Creates an agenda without endpoints. */
export function createAgenda(): Agenda {
  const due = new Set<string>();
  /** Endpoints with more due deliveries than free slots at the last claim. */
  const full = new Set<string>();
  /** Those of them with slots that became free. */
  const freed = new Set<string>();
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
      for (const ids of [due, full, freed]) {
        for (const id of ids) if (!active.has(id)) ids.delete(id);
      }
    },
    happened(applicationId) {
      for (const id of byApplication.get(applicationId) ?? []) due.add(id);
    },
    take(endpointIds) {
      for (const id of endpointIds) {
        due.delete(id);
        freed.delete(id);
      }
    },
    examined(endpoints) {
      for (const { endpointId, more, claimAgain } of endpoints) {
        if (more) full.add(endpointId);
        else full.delete(endpointId);
        if (claimAgain) due.add(endpointId);
      }
    },
    ended(endpointId) {
      if (!full.has(endpointId)) return false;
      freed.add(endpointId);
      return true;
    },
    refill() {
      for (const id of freed) due.add(id);
      freed.clear();
    },
  };
}
