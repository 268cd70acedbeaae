/** The JSON of recorded calls in the guides. The first line of a block says what it shows: ```` ```json recorded reply OPERATION STATUS ````. */
import { exampleEvents } from '../contract/example-events.ts';
import { exampleOf } from '../contract/examples.ts';
import type { EventType } from '../contract/events.ts';

const inlineAtMost = 80;

const isFlat = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  Object.values(value).every((one) => typeof one !== 'object' || one === null);

function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${inline(inner)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** As the formatter leaves it: what is short and has nothing inside is one line, except the items of a list. */
function pretty(value: unknown, indent = '', isItem = false): string {
  const whole = inline(value);
  if (typeof value !== 'object' || value === null) return whole;
  if (!isItem && indent !== '' && isFlat(value) && whole.length + indent.length <= inlineAtMost)
    return whole;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => `${inner}${pretty(one, inner, true)}`).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([key, one]) => `${inner}${JSON.stringify(key)}: ${pretty(one, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

interface Delivered {
  lastRequest: { headers: Record<string, string>; body: string };
}

/** The request of a webhook, as the endpoint gets it. */
function deliveredRequest(): string {
  const { headers, body } = (exampleOf('portal.delivery.get').replies['200'] as Delivered)
    .lastRequest;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    'POST /hook HTTP/1.1',
    'content-type: application/json',
    'user-agent: Latchkey-Webhooks',
    ...lines,
    '',
    body,
  ].join('\n');
}

/** What a block can show, by the word after its language. */
const shown: Readonly<Record<string, (name: string, status: string) => string>> = {
  event: (type) => pretty(exampleEvents[type as EventType]),
  request: (operation) => pretty(exampleOf(operation).request.body),
  reply: (operation, status) =>
    pretty((exampleOf(operation).replies as Readonly<Record<string, unknown>>)[status]),
  delivery: deliveredRequest,
};

const block =
  /^```(json|http) recorded (event|request|reply|delivery)(?: (\S+))?(?: (\d+))?\n[^]*?^```$/gm;

/** A guide with its recorded examples. */
export const withExamples = (guide: string): string =>
  guide.replaceAll(block, (whole, _language, kind: string, name = '', status = '') => {
    const [first] = whole.split('\n', 1);
    return `${first}\n${shown[kind]!(name, status)}\n\`\`\``;
  });
