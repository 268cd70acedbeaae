import { createComponents, type Components } from '../openapi/components.ts';
import type {
  OpenApiDocument,
  OperationObject,
  PathItem,
  ResponseObject,
  SecurityScheme,
  TagObject,
} from '../openapi/document.ts';
import { servers } from '../openapi/environments.ts';
import { writeHeaders } from '../openapi/headers.ts';
import { writeParameters, type ParameterExamples } from '../openapi/parameters.ts';
import { writeSchema } from '../openapi/schemas.ts';
import { wireVersion } from '../wire.ts';
import { portalExamples } from './examples.ts';
import { portalLimits } from './limits.ts';
import {
  changesSomething,
  portalOperationIds,
  portalRowOf,
  type PortalOperationId,
  type PortalRow,
} from './operations.ts';
import { writePortalRefusals } from './refusals.ts';

const guide = [
  'Everything that the webhook portal does for one application, to be called from a script as well.',
  `The operator issues a link. It opens one session, within ${portalLimits.linkHours} hours: \`POST /portal/v1/session\` with what stands behind \`#link=\`. Keep the cookie of the answer (\`curl --cookie-jar\`) and send it with every other call. The session lasts ${portalLimits.sessionHours} hours; there is no way to lengthen it.`,
  'Calls that change something take `Content-Type: application/json` and a body, `{}` at least; those that delete take none. They are refused when a browser says that another site made them.',
  `Errors come in the envelope of the [contract](/openapi.json), with its codes. An application may make ${portalLimits.callsPerMinute} calls a minute here, all its sessions together.`,
  'Instants are ISO 8601 in UTC. IDs are UUIDs. Lists with `nextCursor` go on until it is null. Answers may gain members.',
].join('\n\n');

const tags: TagObject[] = [
  { name: 'Session', description: 'From a link to a cookie, and out again.' },
  { name: 'Endpoints', description: 'Where events are sent, and what they are signed with.' },
  { name: 'Deliveries', description: 'What became of each event at each endpoint.' },
  { name: 'Events', description: 'What happened to your bookings.' },
  { name: 'Requests', description: 'What your program has called, and what it was answered.' },
];

const securitySchemes: Record<string, SecurityScheme> = {
  PortalSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'latchkey_portal',
    description: `Set by \`POST /portal/v1/session\`: HttpOnly, SameSite=Strict, for /portal alone, ${portalLimits.sessionHours} hours.`,
  },
};

const replyTexts: Readonly<Record<string, string>> = {
  201: 'Made.',
  202: 'It is due, and attempted within about a second.',
  204: 'Done.',
};

function writeReplies(id: PortalOperationId, row: PortalRow, components: Components) {
  const headers = writeHeaders(['x-request-id', 'Cache-Control'], components);
  return Object.entries(row.reply).map(([status, schema]): [string, ResponseObject] => {
    if (schema === null) return [status, { description: replyTexts[status] ?? 'Done.', headers }];
    const described = 'description' in schema ? String(schema.description) : 'Done.';
    const content = {
      schema: writeSchema(schema, components),
      example: portalExamples[id].reply,
    };
    const description = replyTexts[status] ?? described;
    return [status, { description, headers, content: { 'application/json': content } }];
  });
}

const exampleCall = (id: PortalOperationId): ParameterExamples & { body?: object } =>
  portalExamples[id].request as ParameterExamples & { body?: object };

function requestBody(id: PortalOperationId, row: PortalRow, components: Components) {
  if (!row.body) return {};
  const { body: example } = exampleCall(id);
  const schema = writeSchema(row.body, components);
  return {
    requestBody: {
      required: true as const,
      description: 'JSON in UTF-8. Unknown members are refused.',
      content: { 'application/json': { schema, example } },
    },
  };
}

function writeOperation(id: PortalOperationId, components: Components): OperationObject {
  const row = portalRowOf(id);
  const parameters = writeParameters(row, exampleCall(id), components);
  const audited = changesSomething(row) ? ['It is entered in the audit trail.'] : [];
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary,
    description: [...(row.description ? [row.description] : [`${row.summary}.`]), ...audited].join(
      '\n\n',
    ),
    security: row.public ? [] : [{ PortalSession: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(id, row, components),
    responses: Object.fromEntries([
      ...writeReplies(id, row, components),
      ...writePortalRefusals(row, components),
    ]),
  };
}

function writePaths(components: Components): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const id of portalOperationIds) {
    const { path, method } = portalRowOf(id);
    const item = (paths[path] ??= {});
    item[method.toLowerCase()] = writeOperation(id, components);
  }
  return paths;
}

/** The portal's JSON API as an OpenAPI 3.1 document, made out of its table. */
export function portalDocument(): Omit<OpenApiDocument, 'webhooks'> {
  const components = createComponents();
  const paths = writePaths(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey portal',
      version: wireVersion,
      summary: 'Webhook endpoints, their deliveries, and the request log of an application.',
      description: guide,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Latchkey' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers,
    tags,
    security: [{ PortalSession: [] }],
    paths,
    components: { ...components.shared(), securitySchemes },
  };
}
