/** Requests from the contract document, valid and mutated. */
import { requestText } from '../harness/raw-http.ts';
import type { Operation, Parameter, Schema } from './contract.ts';
import { fitting, odd, oddTexts, type Making } from './values.ts';

/** A request before it becomes bytes. */
export interface Draft {
  operation: Operation;
  /** The request line's target. */
  path: string;
  method: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** Whether path and method are those of the document. */
  isRouted: boolean;
}

/** What a caller calls, and its credentials. */
export interface Caller {
  operations: readonly Operation[];
  headers: Readonly<Record<string, string>>;
  tokenForm: Record<string, string>;
}

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed());

const valuesOf = (parameters: Parameter[], place: Parameter['in'], making: Making) =>
  parameters
    .filter((parameter) => parameter.in === place)
    .filter(({ required }) => required || making.chance.happens(0.4))
    .map(({ name, schema }): [string, unknown] => [name, fitting(schema, making, name)]);

function pathOf({ path, parameters }: Operation, making: Making, checkoutId?: string): string {
  const params = Object.fromEntries(valuesOf(parameters, 'path', making));
  if (checkoutId !== undefined && 'checkoutId' in params) params['checkoutId'] = checkoutId;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]));
  const pairs = valuesOf(parameters, 'query', making).map(
    ([name, value]) => `${name}=${encoded(value)}`,
  );
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled;
}

function headersOf(operation: Operation, making: Making, caller: Caller): Record<string, string> {
  const { chance } = making;
  const given = valuesOf(operation.parameters, 'header', making).filter(
    ([name]) => name !== 'If-Match' || chance.happens(0.1),
  );
  return {
    ...caller.headers,
    ...Object.fromEntries(given.map(([name, value]) => [name, `${String(value)}`])),
    ...(operation.mediaType !== null && { 'Content-Type': operation.mediaType }),
  };
}

const isFile = ({ mediaType }: Operation): boolean => mediaType === 'application/octet-stream';

const isForm = ({ mediaType }: Operation): boolean => mediaType?.includes('form') === true;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A body as it is sent; the values of a form as texts. */
function bytesOf(operation: Operation, body: object): Buffer {
  if (!isForm(operation)) return Buffer.from(JSON.stringify(body));
  const form = Object.entries(body).filter(([, value]) => value !== undefined);
  return Buffer.from(
    new URLSearchParams(form.map(([name, value]) => [name, asText(value)])).toString(),
  );
}

/** A mutation of a body's members. */
type Deform = (body: Record<string, unknown>, schema: Schema, making: Making) => void;

const deforms: readonly Deform[] = [
  (body, { properties = {} }, { chance }) => {
    if (Object.keys(properties).length === 0) return;
    const [name, schema] = chance.pick(Object.entries(properties));
    body[name] = odd(schema, chance);
  },
  (body, { properties = {} }, { chance }) => {
    const nested = Object.entries(properties).filter(([, { type }]) => type === 'object');
    if (nested.length === 0) return;
    const [name, { properties: inner = {} }] = chance.pick(nested);
    if (Object.keys(inner).length === 0) return;
    const [member, schema] = chance.pick(Object.entries(inner));
    body[name] = { ...(body[name] as object), [member]: odd(schema, chance) };
  },
  (body, _schema, { chance }) => {
    const names = Object.keys(body);
    if (names.length > 0) delete body[chance.pick(names)];
  },
  (body, _schema, { chance }) => {
    Object.defineProperty(body, chance.pick(oddTexts), { value: 1, enumerable: true });
  },
];

type OpenCheckout = ReturnType<Making['known']['checkout']>;

function fittingBody(operation: Operation, making: Making, caller: Caller, open: OpenCheckout) {
  const { body: schema, operationId } = operation;
  if (!schema || isFile(operation)) return null;
  const { chance } = making;
  const body = fitting(schema, making) as Record<string, unknown>;
  if (isForm(operation)) Object.assign(body, caller.tokenForm);
  if ('expectedVersion' in (schema.properties ?? {}) && chance.happens(0.95)) {
    body['expectedVersion'] = open?.version ?? 1;
  }
  if ('checkoutId' in body && operationId === 'cdp.signal.capture') {
    body['checkoutId'] = open?.checkoutId ?? body['checkoutId'];
  }
  return body;
}

/** A request of an operation; `isOdd`: its body's members are mutated. */
function draft(operation: Operation, making: Making, caller: Caller, isOdd: boolean): Draft {
  const open = making.known.checkout(making.chance);
  const headers = headersOf(operation, making, caller);
  const body = fittingBody(operation, making, caller, open);
  if (body && operation.body && isOdd) making.chance.pick(deforms)(body, operation.body, making);
  if (isForm(operation)) delete headers['Authorization'];
  if (operation.session && open) headers['Session-Capability'] = open.session;
  return {
    operation,
    method: operation.method,
    path: pathOf(operation, making, open?.checkoutId),
    headers,
    body: body ? bytesOf(operation, body) : isFile(operation) ? making.chance.pick(files) : null,
    isRouted: true,
  };
}

/** A picture, and what is none. */
const files = [
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  Buffer.from('%PDF-1.7'),
  Buffer.alloc(1_000, 0xff),
];

type Change = (draft: Draft, making: Making) => void;

const contentTypes = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/JSON;charset="UTF-8"',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  ';',
  'é',
  '',
];
const encodings = ['gzip', 'br', 'identity', 'gzip, gzip', 'x'];
const headerNames = [
  'Authorization',
  'Session-Capability',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'X-Booking-Consumer',
  'X-Request-Id',
  'X-Forwarded-For',
  'Accept',
  'Accept-Encoding',
  'Range',
  'Cookie',
  'Connection',
  'Upgrade',
  'Expect',
];
const headerTexts = [
  '"1"',
  'W/"1"',
  '*',
  '"1", "2"',
  '"',
  'Bearer',
  'Bearer a.b.c',
  'Basic ' + 'A'.repeat(100),
  'keep-alive, Upgrade',
  'websocket',
  '100-continue',
  'bytes=0-1',
  'a'.repeat(300),
  'a'.repeat(9_000),
  '\u00ff\u0080',
  '\t',
];
const numbersAsText = ['1e400', '-1e400', '9007199254740993', '1.0', '-0', '00', '0x1', 'NaN'];

const onBody =
  (change: (body: Buffer, making: Making) => Buffer): Change =>
  (drawn, making) => {
    if (drawn.body) drawn.body = change(drawn.body, making);
  };

const onText = (change: (text: string, making: Making) => string): Change =>
  onBody((body, making) => Buffer.from(change(body.toString('latin1'), making), 'latin1'));

/** A mutation of a whole request. */
const changes: readonly Change[] = [
  (drawn, { chance }) => {
    drawn.headers[chance.pick(headerNames)] = chance.pick(headerTexts);
  },
  (drawn) => {
    delete drawn.headers['Authorization'];
    delete drawn.headers['Cookie'];
  },
  (drawn) => {
    delete drawn.headers['Session-Capability'];
  },
  (drawn, { chance }) => {
    drawn.headers['Content-Type'] = chance.pick(contentTypes);
  },
  (drawn, { chance }) => {
    drawn.headers['Content-Encoding'] = chance.pick(encodings);
  },
  (drawn, { chance }) => {
    const parts = drawn.path.split('/');
    parts[chance.integer(1, parts.length - 1)] = encoded(chance.pick(oddTexts));
    drawn.path = parts.join('/');
    drawn.isRouted = false;
  },
  (drawn, { chance }) => {
    drawn.path += chance.pick(['%', '%zz', '/', '//', '/..', '%2F', '%00', '#', ';a=b', '%c3%28']);
    drawn.isRouted = false;
  },
  (drawn, { chance }) => {
    const joint = drawn.path.includes('?') ? '&' : '?';
    const name = chance.pick(['limit', 'cursor', 'type', 'startDate', '__proto__', 'x', '']);
    drawn.path += `${joint}${encoded(name)}=${encoded(chance.pick(oddTexts)).slice(0, 4_000)}`;
  },
  (drawn, { chance }) => {
    drawn.path += chance.pick(['?', '?&&&', '?%zz=1', '?limit=%ff', '?limit=1&limit=1', '?a[b]=c']);
  },
  (drawn, { chance }) => {
    drawn.method = chance.pick([
      'GET',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
      'OPTIONS',
      'HEAD',
      'TRACE',
    ]);
    drawn.isRouted = false;
  },
  onBody((body, { chance }) => body.subarray(0, chance.integer(0, body.length))),
  onBody((body, { chance }) => {
    const changed = Buffer.from(body);
    for (let times = 0; times < 3 && changed.length > 0; times += 1) {
      changed[chance.integer(0, changed.length - 1)] = chance.integer(0, 255);
    }
    return changed;
  }),
  onBody((body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
  onBody((body) => Buffer.from(body.toString('latin1'), 'utf16le')),
  onBody((body, { chance }) =>
    Buffer.concat([body, Buffer.alloc(chance.pick([16_384, 70_000]), ' ')]),
  ),
  onBody((body, { chance }) =>
    Buffer.alloc(chance.pick([16_384, 16_385]), body.length > 0 ? body : ' '),
  ),
  onBody((_body, { chance }) => chance.bytes(chance.integer(1, 400))),
  onText((text, { chance }) => text.replace(/\b\d+\b/, chance.pick(numbersAsText))),
  onText((text) => `${'['.repeat(8_000)}${text}`),
  onText((text) => `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}${text.slice(0, 0)}`),
  onText((text) => text.replace('{', '{"__proto__":{"adults":1},"constructor":1,')),
  onText((text) => text.replace(/^\{("\w+":)/, '{$1null,$1')),
  onText((text) => text.replaceAll('"', String.raw`\"`)),
];

const shares = { odd: 0.35, changed: 0.4 };

/** The next request: valid or mutated. */
export function nextDraft(making: Making, caller: Caller): Draft {
  const { chance } = making;
  const drawn = draft(chance.pick(caller.operations), making, caller, chance.happens(shares.odd));
  while (chance.happens(shares.changed)) chance.pick(changes)(drawn, making);
  return drawn;
}

/** The bytes of a request. */
export const bytesOfDraft = ({ method, path, headers, body }: Draft): Buffer =>
  requestText(`${method} ${path}`, headers, body ?? '');
