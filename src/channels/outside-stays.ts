/** Nights that were sold elsewhere, as the system that sold them says: they are sold, whatever has them here. */
import { pageForStaff, type PageRequest } from '../access/index.ts';
import { listingFor } from '../catalog/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseStaff } from '../contract/operator/errors.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { dayNumber } from '../pricing/index.ts';
import { changeNights } from './apply-nights.ts';
import { lockCalendars } from './store/calendars.ts';
import {
  deleteOutsideStay,
  findOutsideStay,
  listOutsideStays,
  lockOutsideHomes,
  lockOutsideName,
  openOutsideHome,
  type OutsideName,
  type OutsideNights,
  type OutsideStay,
  releaseOutsideNights,
  takeOutsideNights,
  writeOutsideReason,
  writeOutsideStay,
  yieldToOutsideStays,
} from './store/outside-stays.ts';

const mostNights = 730;

/** An outside stay as the other system says it. */
export interface OutsideInput extends Omit<OutsideNights, 'listingId'> {
  /** Slug or ID. */
  listing: string;
}

function nightsRefusal({
  from,
  to,
}: Pick<OutsideInput, 'from' | 'to'>): Refusal<'invalid_input'> | null {
  const nights = dayNumber(to) - dayNumber(from);
  if (nights >= 1 && nights <= mostNights) return null;
  const message = `must be 1 to ${mostNights} days after the first night`;
  const field = { path: '/to', message };
  return refuseStaff('invalid_input', `The day ${to} ${message}, ${from}.`, field);
}

const noStay = ({ source, externalId }: OutsideName) =>
  refuseStaff('not_found', `There is no outside stay ${source}/${externalId}.`);

/** Locks everything that decides who gets nights of these homes. */
async function lockNights(executor: Executor, listingIds: readonly string[]): Promise<void> {
  const homes = [...new Set(listingIds)].toSorted();
  for (const home of homes) await lockCalendars(executor, home);
  await lockOutsideHomes(executor, homes);
}

const hasNightsOf = (stay: OutsideStay, { listingId, from, to }: OutsideNights): boolean =>
  stay.listingId === listingId && stay.from === from && stay.to === to;

/** What a `PUT` of an outside stay has done. */
export interface PutOutsideStay {
  stay: OutsideStay;
  change: 'added' | 'changed' | 'unchanged';
}

async function put(
  executor: Executor,
  name: OutsideName,
  nights: OutsideNights,
): Promise<PutOutsideStay & { before: OutsideStay | undefined }> {
  await lockOutsideName(executor, name);
  const before = await findOutsideStay(executor, name);
  const isMoved = !before || !hasNightsOf(before, nights);
  if (before && !isMoved && before.reason === nights.reason) {
    return { stay: before, change: 'unchanged', before };
  }
  await lockNights(executor, [nights.listingId, ...(before ? [before.listingId] : [])]);
  const id = await writeOutsideStay(executor, name, nights);
  if (isMoved) {
    // In one transaction: nobody else gets the nights that it keeps.
    await releaseOutsideNights(executor, id);
    await yieldToOutsideStays(executor, nights.listingId);
    await takeOutsideNights(executor, id);
  } else await writeOutsideReason(executor, id);
  const stay = (await findOutsideStay(executor, name))!;
  return { stay, change: before ? 'changed' : 'added', before };
}

const audited = ({ source, externalId, listing, listingId, from, to }: OutsideStay) => ({
  source,
  externalId,
  listing,
  listingId,
  from,
  to,
});

/**
 * Writes an outside stay. The nights that are free are taken at once, and the others are its conflicts; it gets them
 * as soon as they are free. With other nights or another home it moves in one step.
 *
 * Spec: OUTSIDE-1, OUTSIDE-2.
 */
export async function putOutsideStay(
  database: Database,
  actor: string,
  name: OutsideName,
  { listing, ...input }: OutsideInput,
): Promise<PutOutsideStay | Refusal<'invalid_input' | 'not_found'>> {
  const refusal = nightsRefusal(input);
  if (refusal) return refusal;
  const home = await listingFor(database, listing);
  if (isRefusal(home)) return home;
  const listingId = home.id;
  await openOutsideHome(database, listingId);
  return changeNights(database, async (executor) => {
    const { before, ...done } = await put(executor, name, { listingId, ...input });
    if (done.change !== 'unchanged') {
      // The entry is also one of the home that it leaves.
      const was = before && { before: audited(before), homes: [before.listing] };
      const details = { ...audited(done.stay), conflicts: done.stay.conflicts.length, ...was };
      const action = 'outside-stay.put';
      await insertAuditEntry(executor, { actor, action, details });
    }
    return done;
  });
}

/** Removes an outside stay: what has no other owner is free. False: there was none. */
export async function removeOutsideStay(
  database: Database,
  actor: string,
  name: OutsideName,
): Promise<boolean> {
  return changeNights(database, async (executor) => {
    await lockOutsideName(executor, name);
    const stay = await findOutsideStay(executor, name);
    if (!stay) return false;
    await lockNights(executor, [stay.listingId]);
    await releaseOutsideNights(executor, stay.outsideStayId);
    await deleteOutsideStay(executor, stay.outsideStayId);
    const entry = { actor, action: 'outside-stay.remove', applicationId: null } as const;
    await insertAuditEntry(executor, { ...entry, details: audited(stay) });
    return true;
  });
}

/** Reads an outside stay. */
export const readOutsideStay = async (
  executor: Executor,
  name: OutsideName,
): Promise<OutsideStay | Refusal<'not_found'>> =>
  (await findOutsideStay(executor, name)) ?? noStay(name);

/** Lists outside stays by source and name there. */
export async function listOutsideStaysOf(
  executor: Executor,
  { source = null, listing }: { source?: string | undefined | null; listing?: string | undefined },
  page: PageRequest,
) {
  const home = listing === undefined ? null : await listingFor(executor, listing);
  if (isRefusal(home)) return home;
  const filter = { source, listingId: home && home.id };
  return pageForStaff(
    executor.vault,
    {
      operation: 'staff.outside.list',
      filters: filter,
      read: (after: OutsideName | null, atMost) =>
        listOutsideStays(executor, filter, after, atMost),
      positionOf: ({ source: from, externalId }: OutsideStay) => ({ source: from, externalId }),
    },
    page,
  );
}
