import * as Type from '../type.ts';
import { describedByRow, ownStyle, replyTextBy, writeDocument } from '../openapi/own-document.ts';
import type { OpenApiDocument, SecurityScheme, TagObject } from '../openapi/document.ts';
import type { DescribedOperation, DocumentStyle } from '../openapi/document-style.ts';
import { OwnErrorEnvelope } from '../partner/schemas/error.ts';
import { operatorMessage, operatorReasonText } from './errors.ts';
import { operatorLimits } from './limits.ts';
import { operatorOperations } from './operations.ts';
import { operatorRefusals, sharedOperatorName } from './refusals.ts';
import { roles, scopesOfRole } from './roles.ts';
import type { OperatorRow } from './row.ts';
import { UnusualPrices } from './schemas/listings.ts';

const rolesText = roles
  .map((role) => `- \`${role}\`: ${scopesOfRole[role].map((scope) => `\`${scope}\``).join(', ')}`)
  .join('\n');

const guide = [
  'Everything that staff do on the pages of the console and with the `latchkey` command. Scripts use it with a token, the console with the cookie of a session.',
  `A token has a role and an end: \`latchkey staff token issue\`. The scope of an operation says which roles may call it:\n\n${rolesText}`,
  'Calls that change something need `Content-Type: application/json` and a body, at least `{}`; deletions need neither, and a picture is sent as `application/octet-stream`. They are refused if the browser reports that another site made the call, and each is recorded in the audit trail.',
  `Errors have the envelope and codes of the [contract](/openapi.json). A member of staff or a token can make ${operatorLimits.callsPerMinute} calls per minute.`,
  'Instants are ISO 8601 in UTC, days are `YYYY-MM-DD` at the property, amounts are in minor units. Page through lists until `nextCursor` is null. Members may be added to responses.',
].join('\n\n');

const tags: TagObject[] = [
  { name: 'Audit', description: 'The audit trail: actions of staff and partners.' },
  { name: 'Overview', description: 'Arrivals and departures of today, and what needs attention.' },
  { name: 'Reservations', description: 'Reservations of guests.' },
  { name: 'Checkouts', description: 'Checkouts and requests whose outcome is not known.' },
  {
    name: 'Restores',
    description: 'Restores of the database, and what the card provider still had.',
  },
  { name: 'Guests', description: 'What is kept about one person: find, export, erase.' },
  { name: 'Clock', description: "The database's clock, and whether it is believed." },
  { name: 'Payments', description: 'Card payments of reservations: balances, refunds, ledger.' },
  { name: 'Calendar', description: 'All homes, day by day.' },
  { name: 'Homes', description: 'Content, prices and rules of homes.' },
  {
    name: 'Nights',
    description: 'Blocks, calendars of other channels, and stays that other systems have sold.',
  },
  { name: 'Catalogs', description: 'Catalog files and promotions.' },
  { name: 'Sessions', description: "Signing in, and the caller's own account." },
  { name: 'Staff', description: 'Accounts of members of staff.' },
  { name: 'Settings', description: 'How the service is set up.' },
  { name: 'Partners', description: 'Applications of partners, and their keys.' },
  { name: 'Webhooks', description: 'Where events are sent, and the result of each delivery.' },
  { name: 'Requests', description: 'The logged calls of applications.' },
  { name: 'Funnel', description: 'The steps from search to reservation, with counts.' },
  { name: 'Tokens', description: 'Tokens of scripts.' },
];

const securitySchemes: Record<string, SecurityScheme> = {
  OperatorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of `latchkey staff token issue`.',
  },
  OperatorSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'latchkey_operator',
    description: 'Set by signing in: HttpOnly, SameSite=Strict, only for /operator.',
  },
};

const credentials = [{ OperatorToken: [] }, { OperatorSession: [] }];

const replyText = replyTextBy({ 201: 'Created.', 204: 'Done.' });

function describe({ row }: DescribedOperation<OperatorRow>): string {
  return [
    row.description ?? `${row.summary}.`,
    ...(row.membersOnly ? ['Only in a session, not with a token.'] : []),
    ...(row.lasting
      ? ['Not with a token: what it makes would outlive the token (`step_up`).']
      : []),
    ...(row.stepUp
      ? ['With a session, the member must have entered the password or a code recently.']
      : []),
  ].join('\n\n');
}

/** What a refused reservation of staff also says. */
const refusedStay = {
  ...Type.AllOptional({
    nights: Type.Array(Type.String(), {
      description: 'With `unavailable`: the nights that are taken.',
    }),
    limit: Type.Whole('What a rule allows: nights, days, guests or pets.'),
    until: Type.Text('With `advance_notice`: the hour until which it is allowed.'),
    allowed: Type.Array(Type.String(), { description: 'The weekdays of arrival or departure.' }),
    was: Type.Whole('With `price_changed`: the total that was expected.'),
    now: Type.Whole('With `price_changed`: the total.'),
  }),
};

/** The style of the operator's document. */
const operatorStyle: DocumentStyle<OperatorRow> = {
  ...ownStyle,
  describe,
  extensions: ({ scope }) => (scope ? { 'x-required-scope': scope } : {}),
  security: (row) => (row.public ? [] : credentials),
  envelope: OwnErrorEnvelope({ unusual: Type.Optional(UnusualPrices), ...refusedStay }),
  replyText,
  refusals: operatorRefusals,
  codeText: operatorMessage,
  message: operatorMessage,
  reasonText: operatorReasonText,
  reasonSummary: operatorMessage,
  invalid: {
    summary: operatorMessage('invalid_input'),
    fields: [{ path: 'query/limit', message: 'must be >= 1' }],
  },
  sharedName: sharedOperatorName,
};

/** The operator's API as an OpenAPI 3.1 document, generated from its table. */
export const operatorDocument = (
  rows: Readonly<Record<string, OperatorRow>> = operatorOperations,
): Omit<OpenApiDocument, 'webhooks'> =>
  writeDocument(
    {
      title: 'Latchkey operator',
      summary: 'Manage homes, reservations, partners and payments.',
      description: guide,
      tags,
      security: credentials,
      securitySchemes,
    },
    operatorStyle,
    Object.entries(rows).map(([id, row]) => describedByRow(id, row)),
  );
