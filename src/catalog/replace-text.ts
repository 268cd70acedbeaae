/** Replaces a text in the content of many homes: a name that was misspelt everywhere. */
import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import { randomUUID } from 'node:crypto';
import { seenRefusal, shownVersion } from '../access/index.ts';
import type { Seen } from '../api/seen.ts';
import { isRefusal, refuse, type InvalidField, type Refusal } from '../contract/errors.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { inSlices } from '../platform/slices.ts';
import { listingInFile } from './export-catalog.ts';
import {
  compareThenWrite,
  type ComparedChange,
  type Comparison,
} from './import/compare-then-write.ts';
import { changedMembers, type MemberChange } from './import/difference.ts';
import { isOneSlice, stageChanges, writeStagedChanges } from './staged-change.ts';
import { audited, checkedListing } from './write-listing.ts';
import type { Home } from './store/listing-rows.ts';
import type { StoredHome } from './store/listings.ts';
import { textsOf, textUndos } from './store/undos.ts';

/** What is replaced by what. */
export interface Replacement {
  find: string;
  replaceWith: string;
}

/** What was replaced, or would be. */
export type ReplacedText = OperatorReplyOf<'operator.listing.replaceText'>['body'];

const describedHomes = 200;
const mostFaults = 20;

// No text of a home may be as long.
const tooLong = 30_000;

/** A text with all replaced; what gets too long is cut off, and refused as too long. */
function replaced(text: string, { find, replaceWith }: Replacement): string {
  const pieces = Math.ceil(tooLong / Math.max(1, replaceWith.length)) + 1;
  return replaceWith === ''
    ? text.replaceAll(find, '')
    : text.split(find, pieces).join(replaceWith);
}

/** What people read of a home. */
const textsIn = (home: Home): (string | null | undefined)[] => [
  home.name,
  home.blurb,
  home.description,
  home.destination,
  home.arrivalInstructions,
  ...home.amenities,
  ...home.policies.flatMap(({ label, body }) => [label, body]),
  ...home.spaces.map(({ name }) => name),
  ...home.images.map(({ alt }) => alt),
];

/** Whether a home would change. */
const isReplacedIn = (home: Home, { find, replaceWith }: Replacement): boolean =>
  find !== replaceWith && textsIn(home).some((text) => text?.includes(find));

const lookedAtOnce = 500;

/** The homes in which a text would be replaced, looked for in slices. */
export async function homesWithText<T extends { listing: Home }>(
  homes: readonly T[],
  replacement: Replacement,
): Promise<T[]> {
  const found: T[] = [];
  for await (const slice of inSlices(homes, lookedAtOnce)) {
    for (const home of slice) if (isReplacedIn(home.listing, replacement)) found.push(home);
  }
  return found;
}

/** The home with a text replaced wherever people read it: upper and lower case count. */
function withReplaced(home: Home, replacement: Replacement): Home {
  const of = <T extends string | null | undefined>(text: T): T =>
    (typeof text === 'string' ? replaced(text, replacement) : text) as T;
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

/** What is kept of the homes that were compared so far: of each little, because a home can be large. */
interface Compared {
  changeId: string;
  /** Of what changes at each home. */
  versions: number[];
  faults: InvalidField[];
  changes: ReplacedText['changes'];
  /** What the audit trail says about each changed home. */
  audited: { listing: string; details: object }[];
}

/** What an import would refuse of a home as it would be. */
function faultsOf({ after }: ReplacedHome): InvalidField[] {
  const checked = checkedListing(listingInFile(after, null));
  if (!isRefusal(checked)) return [];
  const { fields = [] } = checked.details as { fields?: InvalidField[] };
  const [first] = fields;
  const what = first ? `${first.path} ${first.message}` : 'would not be valid';
  return [{ path: '/replaceWith', message: `makes ${after.slug} wrong: ${what}` }];
}

function note(compared: Compared, home: ReplacedHome): void {
  const { before, members } = home;
  const { slug: listing, name } = before;
  compared.versions.push(shownVersion({ slug: listing, members }));
  if (compared.faults.length < mostFaults) compared.faults.push(...faultsOf(home));
  if (compared.changes.length < describedHomes) compared.changes.push({ listing, name, members });
  compared.audited.push({ listing, details: audited(members) });
}

/** Compares all homes, and sets aside those that change, with the texts that they had. */
async function compareAll(
  executor: Executor,
  slugs: readonly string[],
  replacement: Replacement,
): Promise<Compared> {
  const compared: Compared = {
    changeId: randomUUID(),
    versions: [],
    faults: [],
    changes: [],
    audited: [],
  };
  await stageChanges(executor, slugs, async (stored) => {
    const homes = replacedHomes(stored, replacement);
    for (const home of homes) note(compared, home);
    if (compared.faults.length > 0 || homes.length === 0) return [];
    const kept = homes.map(({ before, after }) => ({
      listingId: before.listingId,
      before: textsOf(before),
      after: textsOf(after),
    }));
    await textUndos.keep(executor, compared.changeId, kept);
    return homes.map(({ after }) => after);
  });
  return compared;
}

async function enter(executor: Executor, actor: string, { audited: homes }: Compared) {
  for (const { listing, details } of homes) {
    await insertAuditEntry(executor, {
      actor,
      action: 'listing.change',
      details: { listing, ...details },
    });
  }
}

type TextRefusal = Refusal<'invalid_input' | 'precondition_failed'>;

/** Replaces a text within a comparison. */
async function replaceWithin(
  executor: Executor,
  comparison: Comparison,
  actor: string,
  { slugs, seen, dryRun, ...replacement }: WantedReplacement,
): Promise<ComparedChange<ReplacedText | TextRefusal>> {
  const compared = await compareAll(executor, slugs, replacement);
  const { changes, faults: fields } = compared;
  const version = shownVersion(compared.versions);
  const outdated = seenRefusal(seen, version, 'what is replaced');
  if (outdated) return { commit: false, result: outdated };
  if (fields.length > 0) return { commit: false, result: refuse('invalid_input', { fields }) };
  const changed = compared.audited.length;
  const writes = !dryRun && changed > 0;
  if (writes) {
    await enter(executor, actor, compared);
    if (!(await comparison.lock())) return 'overtaken';
    await writeStagedChanges(executor);
  }
  const changeId = writes ? compared.changeId : null;
  return { commit: writes, result: { dryRun, changeId, version, changed, changes } };
}

/** What is replaced, and at which homes. */
interface WantedReplacement extends Replacement {
  slugs: readonly string[];
  seen: Seen;
  dryRun: boolean;
}

/**
 * Replaces a text in the content of these homes, all or nothing, with the checks of an import. Until all homes are
 * compared, nobody waits for it. Spec: OPERATOR-20.
 */
export const replaceText = (
  database: Database,
  actor: string,
  wanted: WantedReplacement,
): Promise<ReplacedText | TextRefusal> =>
  compareThenWrite<ReplacedText | TextRefusal>(
    database,
    (executor, comparison) => replaceWithin(executor, comparison, actor, wanted),
    isOneSlice(wanted.slugs.length),
  );
