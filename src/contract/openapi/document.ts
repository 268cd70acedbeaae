/** The parts of an OpenAPI 3.1 document that this project uses. */

/** Any JSON object: a JSON Schema or an example. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A reference to a component. */
export interface Reference {
  $ref: string;
}

/** An example of a request or response. */
export interface ExampleObject {
  summary: string;
  value: unknown;
}

export interface MediaType {
  schema: JsonObject;
  example?: unknown;
  examples?: Record<string, ExampleObject>;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required: boolean;
  deprecated?: true;
  allowEmptyValue?: true;
  schema: JsonObject;
  example?: unknown;
}

export interface HeaderObject {
  description: string;
  required?: true;
  schema: JsonObject;
  example?: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
}

export interface RequestBodyObject {
  required: boolean;
  description: string;
  content: Record<string, MediaType>;
}

export type SecurityRequirement = Record<string, string[]>;

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: true;
  'x-required-scope'?: string;
  'x-quota-tier'?: string;
  'x-settlement'?: string;
  security: SecurityRequirement[];
  parameters?: (ParameterObject | Reference)[];
  requestBody?: RequestBodyObject;
  responses: Record<string, ResponseObject | Reference>;
}

export interface SecurityScheme {
  type: 'http' | 'apiKey';
  description: string;
  scheme?: 'bearer' | 'basic';
  bearerFormat?: string;
  in?: 'header' | 'cookie';
  name?: string;
}

export interface ServerObject {
  url: string;
  description: string;
  variables: Record<string, { default: string }>;
}

export interface TagObject {
  name: string;
  description: string;
}

export interface ComponentsObject {
  schemas: Record<string, JsonObject>;
  responses: Record<string, ResponseObject>;
  parameters: Record<string, ParameterObject>;
  headers: Record<string, HeaderObject>;
  securitySchemes: Record<string, SecurityScheme>;
}

export type PathItem = Record<string, OperationObject>;

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    'x-revision'?: number;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  jsonSchemaDialect: string;
  servers: ServerObject[];
  tags: TagObject[];
  security: SecurityRequirement[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: ComponentsObject;
}
