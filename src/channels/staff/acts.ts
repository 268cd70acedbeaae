import { staffActs } from '../../api/staff-acts.ts';
import type { Environment } from '../../contract/wire.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Reads } from '../../platform/postgres/replica.ts';
import type { PollerContext } from '../poller.ts';

/** The dependencies of what staff do with calendars of other channels. */
export interface ChannelStaffContext {
  database: Database;
  /** Where lists read: a replica that has everything, or the database. */
  reads: Pick<Reads, 'run'>;
  environment: Environment;
  baseUrl: string;
  calendars: Pick<PollerContext, 'rules' | 'everySeconds'>;
}

/** Binds rows of the operator's table to functions of this subject. */
export const channelActs = staffActs<ChannelStaffContext>();
