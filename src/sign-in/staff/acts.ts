import { staffActs } from '../../api/staff-acts.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';

/** The dependencies of what administrators do with accounts and tokens. */
interface MembersContext extends WithReads {
  baseUrl: string;
}

/** Binds rows of the operator's table to functions of this subject. */
export const memberActs = staffActs<MembersContext>();
