import { describedByRow, ownStyle, replyTextBy, writeDocument } from '../openapi/own-document.ts';
import type { OpenApiDocument, SecurityScheme, TagObject } from '../openapi/document.ts';
import type { DescribedOperation, DocumentStyle } from '../openapi/document-style.ts';
import { OwnErrorEnvelope } from '../partner/schemas/error.ts';
import { exampleOf } from '../examples.ts';
import { portalLimits } from './limits.ts';
import { changesSomething } from '../rows.ts';
import { portalOperationIds, portalRowOf, type PortalRow } from './operations.ts';
import { portalMessage, portalReasonText } from './errors.ts';
import { portalRefusals, sharedPortalName } from './refusals.ts';

const guide = [
  'Everything that the partner portal does for one application. Scripts can use it too.',
  `The operator issues a link. It is valid for ${portalLimits.linkHours} hours and opens one session: \`POST /portal/v1/session\` with the part of the link after \`#link=\`. Keep the cookie of the response (\`curl --cookie-jar\`) and send it with every other call. The session lasts ${portalLimits.sessionHours} hours and cannot be extended.`,
  'Calls that change something need `Content-Type: application/json` and a body, at least `{}`; deletions need neither. They are refused if the browser reports that another site made the call.',
  `Errors have the envelope and codes of the [contract](/openapi.json). An application can make ${portalLimits.callsPerMinute} calls per minute, over all its sessions.`,
  'Instants are ISO 8601 in UTC. IDs are UUIDs. Page through lists until `nextCursor` is null. Members may be added to responses.',
].join('\n\n');

const tags: TagObject[] = [
  { name: 'Session', description: 'Exchange a link for a session, and end it.' },
  { name: 'Endpoints', description: 'Where events are sent, and the secrets that sign them.' },
  { name: 'Deliveries', description: 'The result of each event at each endpoint.' },
  { name: 'Events', description: 'The events of your bookings.' },
  { name: 'Bookings', description: 'Your bookings with everything that happened to them.' },
  { name: 'Statements', description: 'What you sold, changed, cancelled and owe in a month.' },
  { name: 'Access', description: 'The keys of your program, and the use of its quotas.' },
  { name: 'Requests', description: 'The calls of your program, with their results.' },
];

const securitySchemes: Record<string, SecurityScheme> = {
  PortalSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'latchkey_portal',
    description: `Set by \`POST /portal/v1/session\`: HttpOnly, SameSite=Strict, only for /portal, ${portalLimits.sessionHours} hours.`,
  },
};

const replyText = replyTextBy({
  201: 'Created.',
  202: 'The delivery is due; it is attempted within about a second.',
  204: 'Done.',
});

const describe = ({ row }: DescribedOperation<PortalRow>): string => {
  const audited = changesSomething(row) ? ['The change is recorded in the audit trail.'] : [];
  return [row.description ?? `${row.summary}.`, ...audited].join('\n\n');
};

/** The style of the portal's document. */
const portalStyle: DocumentStyle<PortalRow> = {
  ...ownStyle,
  describe,
  security: (row) => (row.public ? [] : [{ PortalSession: [] }]),
  envelope: OwnErrorEnvelope({}),
  replyText,
  refusals: portalRefusals,
  codeText: portalMessage,
  message: portalMessage,
  reasonText: portalReasonText,
  reasonSummary: portalMessage,
  invalid: {
    summary: portalMessage('invalid_input'),
    fields: [{ path: '/url', message: 'must be https' }],
  },
  sharedName: sharedPortalName,
};

/** The portal's JSON API as an OpenAPI 3.1 document, generated from its table. */
export const portalDocument = (): Omit<OpenApiDocument, 'webhooks'> =>
  writeDocument(
    {
      title: 'Latchkey portal',
      summary:
        'Webhook endpoints, deliveries, bookings, keys, quotas and the request log of an application.',
      description: guide,
      tags,
      security: [{ PortalSession: [] }],
      securitySchemes,
    },
    portalStyle,
    portalOperationIds.map((id) => describedByRow(id, portalRowOf(id), exampleOf(id))),
  );
