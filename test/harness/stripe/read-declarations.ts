/**
 * Derives the description of the provider's requests from the declarations of its package, which it
 * generates from its OpenAPI description (`OPENAPI_VERSION`).
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The parameters of one call: the kind of each, `?` at the end where it is optional. */
export type CallDescription = Readonly<Record<string, string>>;

/** The calls that Latchkey makes, as the provider's description has them. */
export interface Description {
  package: string;
  openapi: string;
  apiVersion: string;
  calls: Readonly<Record<string, CallDescription>>;
}

const folder = path.join(import.meta.dirname, '../../../node_modules/stripe');
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

/** Method and path of each call, and the declaration of its parameters. */
const calls: Readonly<Record<string, readonly [file: string, declaration: string]>> = {
  'POST /v1/customers': ['Customers', 'CustomerCreateParams'],
  'GET /v1/customers': ['Customers', 'CustomerListParams'],
  'DELETE /v1/customers/{id}': ['Customers', 'CustomerDeleteParams'],
  'POST /v1/setup_intents': ['SetupIntents', 'SetupIntentCreateParams'],
  'GET /v1/setup_intents/{id}': ['SetupIntents', 'SetupIntentRetrieveParams'],
  'POST /v1/payment_intents': ['PaymentIntents', 'PaymentIntentCreateParams'],
  'GET /v1/payment_intents': ['PaymentIntents', 'PaymentIntentListParams'],
  'GET /v1/payment_intents/{id}': ['PaymentIntents', 'PaymentIntentRetrieveParams'],
  'POST /v1/payment_intents/{id}/capture': ['PaymentIntents', 'PaymentIntentCaptureParams'],
  'POST /v1/payment_intents/{id}/cancel': ['PaymentIntents', 'PaymentIntentCancelParams'],
  'POST /v1/checkout/sessions': ['Checkout/Sessions', 'SessionCreateParams'],
  'GET /v1/checkout/sessions': ['Checkout/Sessions', 'SessionListParams'],
  'GET /v1/checkout/sessions/{id}': ['Checkout/Sessions', 'SessionRetrieveParams'],
  'POST /v1/checkout/sessions/{id}/expire': ['Checkout/Sessions', 'SessionExpireParams'],
  'GET /v1/payouts': ['Payouts', 'PayoutListParams'],
  'GET /v1/balance_transactions': ['BalanceTransactions', 'BalanceTransactionListParams'],
  'POST /v1/refunds': ['Refunds', 'RefundCreateParams'],
  'GET /v1/refunds': ['Refunds', 'RefundListParams'],
  'GET /v1/disputes': ['Disputes', 'DisputeListParams'],
  'GET /v1/refunds/{id}': ['Refunds', 'RefundRetrieveParams'],
};

const paging: CallDescription = {
  ending_before: 'string?',
  limit: 'number?',
  starting_after: 'string?',
};

const member = (indent: string): RegExp =>
  new RegExp(`^${indent} {4}(?<name>\\w+)(?<optional>\\??): (?<type>.+);$`, 'gm');

/** A type in words: a scalar, `array`, `map`, `range`, the allowed values, or `object`. */
function kindOf(type: string, source: string, declaration: string): string {
  if (['string', 'number', 'boolean'].includes(type)) return type;
  if (type.startsWith('Array<')) return 'array';
  if (/^(Emptyable<)?MetadataParam>?$/.test(type)) return 'map';
  if (type.startsWith('RangeQueryParam')) return 'range';
  if (type.startsWith('boolean |')) return 'boolean';
  const named = type.split('.').at(-1) ?? '';
  const body = source.slice(source.indexOf(`namespace ${declaration} {`));
  const values = body.match(new RegExp(`^ +type ${named} = (?<values>'[^;]+);`, 'm'))?.groups;
  return (
    values?.['values']?.replaceAll(/'| \| OtherString/g, '').replaceAll(' | ', '|') ?? 'object'
  );
}

function describe(file: string, declaration: string): CallDescription {
  const source = textOf(`esm/resources/${file}.d.ts`);
  // Some are in a namespace.
  const found = new RegExp(`^(?<indent> *)(export )?interface ${declaration} `, 'm').exec(source)!;
  const indent = found.groups!['indent']!;
  const body = source.slice(found.index, source.indexOf(`\n${indent}}`, found.index));
  const own = [...body.matchAll(member(indent))].map(({ groups = {} }) => [
    groups['name'],
    kindOf(groups['type'] ?? '', source, declaration) + groups['optional'],
  ]);
  const isList = body.split('\n', 1)[0]?.includes('PaginationParams');
  return { ...(Object.fromEntries(own) as CallDescription), ...(isList && paging) };
}

/** Reads the description from the installed package. */
export const readDeclarations = (): Description => ({
  package: `stripe ${textOf('VERSION').trim()}`,
  openapi: textOf('OPENAPI_VERSION').trim(),
  apiVersion: textOf('esm/apiVersion.d.ts').match(/ApiVersion = "(?<v>[^"]+)"/)?.[1] ?? '',
  calls: Object.fromEntries(
    Object.entries(calls).map(([call, [file, declaration]]) => [call, describe(file, declaration)]),
  ),
});
