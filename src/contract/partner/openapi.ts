import { exampleOf } from '../examples.ts';
import { operationIds, rowOf, type OperationId, type OperationRow } from './operations.ts';
import { causes } from '../openapi/causes.ts';
import { createComponents } from '../openapi/components.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { servers } from '../openapi/environments.ts';
import { guide } from '../openapi/guide.ts';
import { notes } from './notes.ts';
import { partnerStyle } from '../openapi/operation.ts';
import { writePaths } from '../openapi/paths.ts';
import { securitySchemes } from '../openapi/security.ts';
import { tags } from '../openapi/tags.ts';
import {
  revocationPath,
  tokenPath,
  writeRevocationEndpoint,
  writeTokenEndpoint,
} from '../openapi/token.ts';
import type { Causes, DescribedOperation } from '../openapi/document-style.ts';
import { writeWebhooks } from '../openapi/webhooks.ts';
import { contractRevision, wireVersion } from '../wire.ts';

const causesOf: Partial<Record<OperationId, Causes>> = causes;

const described = (id: OperationId): DescribedOperation<OperationRow> => ({
  id,
  row: rowOf(id),
  notes: notes[id],
  causes: causesOf[id] ?? {},
  examples: exampleOf(id),
});

/** The contract as an OpenAPI 3.1 document, generated from the tables. Spec: VERSION-6. */
export function openApiDocument(): OpenApiDocument {
  const components = createComponents();
  const paths = {
    [tokenPath]: { post: writeTokenEndpoint(components) },
    [revocationPath]: { post: writeRevocationEndpoint(components) },
    ...writePaths(partnerStyle, operationIds.map(described), components),
  };
  const webhooks = writeWebhooks(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version: wireVersion,
      'x-revision': contractRevision,
      summary: 'Search, price and reserve vacation homes in real time, from server to server.',
      description: guide,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Latchkey' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers,
    tags,
    security: [{ Application: [] }],
    paths,
    webhooks,
    components: { ...components.shared(), securitySchemes },
  };
}
