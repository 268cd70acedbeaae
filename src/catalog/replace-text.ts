/** Replaces a text in the content of many homes: a name that was misspelt everywhere. */
import { randomUUID } from 'node:crypto';
import { seenRefusal, shownVersion } from '../access/index.ts';
import type { Seen } from '../api/seen.ts';
import { isRefusal, refuse, type InvalidField, type Refusal } from '../contract/errors.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { longTransaction } from '../platform/postgres/long-transaction.ts';
import { listingInFile } from './export-catalog.ts';
import { changedMembers, type MemberChange } from './import/difference.ts';
import { audited, checkedListing } from './write-listing.ts';
import type { Home } from './store/listing-rows.ts';
import { readHomes, type StoredHome } from './store/listings.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';
import { keepTextsBefore, textsOf } from './store/text-undos.ts';
import { writeHomes } from './store/write-homes.ts';

/** What is replaced by what. */
export interface Replacement {
  find: string;
  replaceWith: string;
}

/** What was replaced, or would be. */
export interface ReplacedText {
  dryRun: boolean;
  /** Undoes it; null: nothing was written. */
  changeId: string | null;
  /** Of the homes as they were. */
  version: number;
  /** How many homes have changed. */
  changed: number;
  /** The first of them, with their members before and after. */
  changes: { listing: string; name: string; members: MemberChange[] }[];
}

const perBatch = 100;
const describedHomes = 200;
const mostFaults = 20;

/** The home with a text replaced wherever people read it: upper and lower case count. */
export function withReplaced(home: Home, { find, replaceWith }: Replacement): Home {
  const of = <T extends string | null | undefined>(text: T): T =>
    (typeof text === 'string' ? text.split(find).join(replaceWith) : text) as T;
  return {
    ...home,
    name: of(home.name),
    blurb: of(home.blurb),
    description: of(home.description),
    destination: of(home.destination),
    ...(home.arrivalInstructions !== undefined && {
      arrivalInstructions: of(home.arrivalInstructions),
    }),
    amenities: home.amenities.map(of),
    policies: home.policies.map(({ label, body }) => ({ label: of(label), body: of(body) })),
    spaces: home.spaces.map((space) => ({ ...space, name: of(space.name) })),
    images: home.images.map((image) => ({ ...image, alt: of(image.alt) })),
  };
}

interface ReplacedHome {
  before: Home;
  after: Home;
  members: MemberChange[];
}

const replacedHomes = (stored: readonly StoredHome[], replacement: Replacement): ReplacedHome[] =>
  stored.flatMap(({ home: before }) => {
    const after = withReplaced(before, replacement);
    const members = changedMembers(before, after);
    return members.length === 0 ? [] : [{ before, after, members }];
  });

/** What an import would refuse of the homes as they would be. */
function faultsOf(homes: readonly ReplacedHome[]): InvalidField[] {
  const faults: InvalidField[] = [];
  for (const { after } of homes) {
    if (faults.length >= mostFaults) return faults;
    const checked = checkedListing(listingInFile(after, null));
    if (!isRefusal(checked)) continue;
    const { fields = [] } = checked.details as { fields?: InvalidField[] };
    const [first] = fields;
    const what = first ? `${first.path} ${first.message}` : 'would not be valid';
    faults.push({ path: '/replaceWith', message: `makes ${after.slug} wrong: ${what}` });
  }
  return faults;
}

async function write(
  executor: Executor,
  actor: string,
  homes: readonly ReplacedHome[],
): Promise<string> {
  const changeId = randomUUID();
  const revision = await raiseRevision(executor);
  for (let at = 0; at < homes.length; at += perBatch) {
    const batch = homes.slice(at, at + perBatch);
    const known = new Map(batch.map(({ before }) => [before.slug, before]));
    await writeHomes(
      executor,
      batch.map(({ after }) => after),
      known,
      revision,
    );
    await keepTextsBefore(
      executor,
      changeId,
      batch.map(({ before, after }) => ({
        listingId: before.listingId,
        before: textsOf(before),
        after: textsOf(after),
      })),
    );
    for (const { after, members } of batch) {
      await insertAuditEntry(executor, {
        actor,
        action: 'listing.change',
        applicationId: null,
        details: { listing: after.slug, ...audited(members) },
      });
    }
  }
  await markCatalogs(executor, revision, []);
  return changeId;
}

/**
 * Replaces a text in the content of these homes, all or nothing, with the checks of an import. Spec: OPERATOR-20.
 */
export const replaceText = (
  database: Database,
  actor: string,
  {
    slugs,
    seen,
    dryRun,
    ...replacement
  }: Replacement & { slugs: readonly string[]; seen: Seen; dryRun: boolean },
): Promise<ReplacedText | Refusal<'invalid_input' | 'precondition_failed'>> =>
  longTransaction<ReplacedText | Refusal<'invalid_input' | 'precondition_failed'>>(
    database,
    'read write',
    async (executor) => {
      await lockCatalog(executor);
      const homes = replacedHomes(await readHomes(executor, slugs), replacement);
      const version = shownVersion(
        homes.map(({ before: { slug }, members }) => ({ slug, members })),
      );
      const outdated = seenRefusal(seen, version, 'What is replaced');
      if (outdated) return { commit: false, result: outdated };
      const fields = faultsOf(homes);
      if (fields.length > 0) return { commit: false, result: refuse('invalid_input', { fields }) };
      const changeId = dryRun || homes.length === 0 ? null : await write(executor, actor, homes);
      const changes = homes.slice(0, describedHomes).map(({ before: { slug, name }, members }) => ({
        listing: slug,
        name,
        members,
      }));
      return {
        commit: !dryRun,
        result: { dryRun, changeId, version, changed: homes.length, changes },
      };
    },
  );
