import { staffActs } from '../../api/staff-acts.ts';
import type { Environment } from '../../contract/wire.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';

/** The dependencies of what staff do with applications and keys. */
export interface AccessStaffContext extends WithReads {
  environment: Environment;
  baseUrl: string;
}

/** Binds rows of the operator's table to functions of this subject. */
export const accessActs = staffActs<AccessStaffContext>();
