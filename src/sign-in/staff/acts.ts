import { staffActs } from '../../api/staff-acts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Reads } from '../../platform/postgres/replica.ts';

/** The dependencies of what administrators do with accounts and tokens. */
interface MembersContext {
  database: Database;
  /** Where lists read: a replica that has everything, or the database. */
  reads: Pick<Reads, 'run'>;
  baseUrl: string;
}

/** Binds rows of the operator's table to functions of this subject. */
export const memberActs = staffActs<MembersContext>();
