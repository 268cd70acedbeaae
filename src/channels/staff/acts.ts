import { staffActs } from '../../api/staff-acts.ts';
import type { Environment } from '../../contract/wire.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';
import type { PollerContext } from '../poller.ts';

/** The dependencies of what staff do with calendars of other channels. */
export interface ChannelStaffContext extends WithReads {
  environment: Environment;
  baseUrl: string;
  calendars: Pick<PollerContext, 'rules' | 'everySeconds'>;
}

/** Binds rows of the operator's table to functions of this subject. */
export const channelActs = staffActs<ChannelStaffContext>();
