import { eventTexts, eventTypes, type EventType } from '../events.ts';
import { exampleEvents } from '../example-events.ts';
import { webhookSchemas } from '../partner/schemas/event.ts';
import type { Components } from './components.ts';
import type { OperationObject, ParameterObject, PathItem } from './document.ts';
import { writeSchema } from './schemas.ts';
import { pascalCase } from './names.ts';

const signatureHeaders: ParameterObject[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: "The event's `id`, the same at every attempt. Process each only once.",
    schema: { type: 'string' },
    example: 'evt_01a406cc14077d7da7f76aaf42fa0ca8',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'The time of this attempt, in seconds since 1970. Refuse a timestamp more than five minutes from your clock.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1804000303',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      "One or more signatures, separated by spaces. Each is `v1,` and the base64 of an HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body as received>`. The key is the part of your endpoint's secret after `whsec_`, decoded from base64. During a rotation there are two signatures; one match is enough.",
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

const writeWebhook = (type: EventType, components: Components): OperationObject => ({
  operationId: `webhook.${type}`,
  tags: ['Webhooks'],
  summary: eventTexts[type].summary,
  description: eventTexts[type].when,
  security: [],
  parameters: signatureHeaders.map((header) =>
    components.share('parameters', pascalCase(header.name), header),
  ),
  requestBody: {
    required: true,
    description: 'The event. A test event from the portal has no `sequence`.',
    content: {
      'application/json': {
        schema: writeSchema(webhookSchemas[type], components),
        example: exampleEvents[type],
      },
    },
  },
  responses: {
    '2XX': {
      description: 'Received. Respond within 15 seconds, and do the work afterwards.',
    },
    410: { description: 'The endpoint no longer exists. It is disabled at once.' },
  },
});

/** Writes the webhooks, one for each event type. Spec: WEBHOOK-1. */
export function writeWebhooks(components: Components): Record<string, PathItem> {
  const types = Object.keys(eventTypes) as EventType[];
  return Object.fromEntries(types.map((type) => [type, { post: writeWebhook(type, components) }]));
}
