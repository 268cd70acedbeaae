import { staffActs } from '../../api/staff-acts.ts';
import type { Environment } from '../../contract/wire.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Reads } from '../../platform/postgres/replica.ts';

/** The dependencies of what staff do with applications and keys. */
export interface AccessStaffContext {
  database: Database;
  /** Where lists read: a replica that has everything, or the database. */
  reads: Pick<Reads, 'run'>;
  environment: Environment;
  baseUrl: string;
}

/** Binds rows of the operator's table to functions of this subject. */
export const accessActs = staffActs<AccessStaffContext>();
