/** The commands about the audit trail. */
import { listAuditTrail } from '../access/index.ts';
import { application } from './application-flag.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';
import { pageFlags, pageOutcome } from './staff-flags.ts';

const actorLength = 200;

const columns = [
  'happenedAt',
  'actor',
  'source',
  'action',
  'reference',
  'applicationId',
  'details',
];

const verbs = {
  list: command({
    summary: 'Lists what staff and partners did, newest first.',
    flags: {
      actor: {
        kind: kinds.line('ACTOR', actorLength),
        required: false,
        description: 'Only what this actor did, such as cli:ada.',
      },
      reference: {
        kind: kinds.reference,
        required: false,
        description: 'Only what was done to this reservation, or to the checkout with this ID.',
      },
      application: {
        ...application,
        required: false,
        description: 'Only what was done to this application.',
      },
      action: {
        kind: kinds.auditAction,
        required: false,
        description: 'Only this action, such as reservation.cancel.',
      },
      from: {
        kind: kinds.date,
        required: false,
        description: 'Only from this day, in UTC.',
      },
      until: {
        kind: kinds.date,
        required: false,
        description: 'Only until the end of this day, in UTC.',
      },
      ...pageFlags,
    },
    changesApplication: false,
    onlyReads: true,
    async run({ database }, { application: applicationId, limit, cursor, ...filter }) {
      const wanted = { ...filter, applicationId };
      return pageOutcome(await listAuditTrail(database, wanted, { limit, cursor }), columns);
    },
  }),
};

/** The commands about the audit trail. */
export const auditCommands = { audit: verbs };
