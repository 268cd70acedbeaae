import { defaultQuotas, limits, tiers } from '../limits.ts';
import { operationIds, rowOf, type OperationId } from '../partner/operations.ts';
import { capabilities, scopesOf, type Scope } from '../scopes.ts';
import { checkoutStates } from '../states.ts';
import { simulationDefinitionVersion, wireVersion } from '../wire.ts';
import { suffixTexts } from './simulation.ts';
import { checkoutStateTexts } from './states.ts';

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

const named = (ids: readonly OperationId[]): string => ids.map((id) => `\`${id}\``).join(', ');

const operationsWith = (scope: Scope): string =>
  named(operationIds.filter((id) => rowOf(id).scope === scope));

const scopeList = list(
  capabilities.flatMap((capability) => [
    `Grant \`${capability}\`:`,
    ...scopesOf[capability].map((scope) => `  \`${scope}\` for ${operationsWith(scope)}`),
  ]),
).replaceAll('-   ', '  - ');

const quotaList = list(
  tiers.map((tier) => {
    const ids = operationIds.filter((id) => rowOf(id).tier === tier);
    return `\`${tier}\`, ${defaultQuotas[tier]} calls a minute: ${named(ids)}`;
  }),
);

const stateList = list(
  checkoutStates.map((state) => {
    const { meaning, actions, leads } = checkoutStateTexts[state];
    return `\`${state}\`: ${meaning} \`nextActions\`: ${actions}. ${leads}`;
  }),
);

const suffixList = list(
  Object.entries(suffixTexts).map(([suffix, text]) => `\`+${suffix}\`: ${text}`),
);

const flow = `
Latchkey lets the servers of a partner search, price and reserve vacation homes in real time: JSON over HTTPS, from server to server. A guest's browser or device never calls it.

## A booking from end to end

1. **Site**: what this application may offer (\`GET /v1/site\`).
2. **Homes**: keep a copy of the listings and refresh it (\`GET /v1/listings\`).
3. **Free nights**: search for dates and party, or read one home's calendar.
4. **Quote**: exact price and terms, for ${limits.quoteMinutes} minutes. It holds nothing.
5. **Checkout**: turns a quote into a reservation. Store the \`sessionCapability\` that comes with it.
6. **Guest**, and for card-paying applications **payment**: set up, let the guest enter the card in the hosted fields, name the verified method.
7. **Submit**: 202 means accepted, not confirmed.
8. **Status**: read it, \`pollAfterSeconds\` apart, until there is an outcome.
9. **Confirmation**, and from then on the **reservation** by its reference.

Every answer says in \`nextActions\` what can come next. Let your code follow that rather than this list: the way differs by how the application settles, and new actions can appear. One that you do not know means that you read again later. It is never success.

How money is collected is set on the application and by no request. *Card-paying*: the guest's card, by hosted fields. *Partner-settled*: you collect it yourself, a checkout has no payment steps, and \`POST /v1/reservation-requests\` can do it all in one call.

Nothing here cancels or changes a confirmed reservation. The operator's reservations team does that; it shows on the reservation and as an event.
`;

const states = `
## States of a checkout

${stateList}

Promotion codes can be applied, and the guest replaced, until submit. A command that its state does not allow answers 409 \`invalid_state\` and changes nothing. Reads never move a checkout. In \`uncertain\`, neither submit again nor book the same stay another way. After \`failed\` and \`expired\` there is no reservation: begin with a new quote.

Once the quote has expired, reads of a checkout that was not submitted offer only \`refresh_quote\` and leave the state as it is. The next command answers 409 \`quote_expired\` and leaves the checkout \`expired\`, one version on. No event is sent, since nothing had been submitted, and the same command is answered the same way again. A repeat of a command that had taken effect before is no such command.
`;

const access = `
## Access

The operator registers an application and hands out an application ID and a key, one pair for each environment. A key reads \`lk_<sandbox|test|live>_<key id>_<secret>_<checksum>\` with a secret of 256 random bits in base62; we keep only its SHA-256. Exchange it at \`POST /oauth/token\` for an access token of at most ${limits.accessTokenSeconds} seconds, cache that until about a minute before its end, and share it among concurrent calls. After a 401, exchange once and send the call again; nothing has run before a 401. A new key can be issued while the old one goes on working; a revoked key gets no more tokens, and those that it got end with their ${limits.accessTokenSeconds / 60} minutes.

An application holds grants; a token lists the scopes that they carry, or fewer if you ask for fewer. Each operation needs exactly one scope, and answers 403 \`forbidden\` without it. The \`capabilities\` of the site are the grants that can be served at this deployment.

${scopeList}

Calls on a checkout, after creating it, also present its session capability (see \`SessionCapability\`).

What belongs to another application does not exist for you: the same 404, in comparable time.
`;

const requests = `
## Requests

- **Bodies** are JSON in UTF-8 of at most ${limits.bodyBytes} bytes; the token endpoint takes a form.
- **Unknown** members and query parameters are refused, so that a typo cannot pass unseen. The token endpoint alone ignores what it does not know.
- **IDs** that you name (\`quoteId\`, \`checkoutId\`, \`reservationRequestId\`, \`signalId\`) are UUIDs of RFC 9562, best version 7; Nil and Max count as UUIDs, \`urn:uuid:\` in front does not. Capitals are taken, and answered in lower case. They are yours alone: the same ID in two applications names two things.
- **Dates** are those of the property, \`YYYY-MM-DD\`, in its \`timeZone\`, or UTC where that is null; so is "today". A stay has ${limits.nightsPerStay.min} to ${limits.nightsPerStay.max} nights, \`checkOut\` not among them. Dates that no calendar has, a \`checkOut\` that is not later, an arrival before today or more than ${limits.bookingHorizonDays} days ahead are 400 \`invalid_input\`.
- **Party**: ${limits.adults.min} to ${limits.adults.max} \`adults\` are required; \`children\`, \`infants\` and \`pets\` are ${limits.otherGuests.min} to ${limits.otherGuests.max}, and 0 where left out. Adults and children count against \`sleeps\`; infants do not. What no home can mean is 422 \`too_many_guests\`: more than ${limits.infants} infants, or, where \`sleeps\` is null, more than ${limits.guestsWithoutSleeps} adults and children.
- **Money** is in minor units of \`currency\`, as integers, taxes included. Show prices as they come. The sums in \`charges\` are exact.
- **Members of answers**: one that is required is always there, and \`null\` where it has no value; one that is not required is absent where it has none. None does both. So the \`reference\` of a checkout and its status is absent until it is confirmed, and that of a reservation request is \`null\` until then.
- **Addresses**: where the base URL has a path, every address that we give for ourselves begins with it, \`Location\` included.
- **Methods**: HEAD is not offered; it is answered with 404, as any method that does not exist.
- **Caching**: site, homes, list of homes and checkouts carry an \`ETag\`; \`If-None-Match\` can spare you the body of the first three. Live reads, quotes, checkouts and tokens are \`Cache-Control: no-store\`.
- **Lists**: \`limit\` from ${limits.pageSize.min} to ${limits.pageSize.max}, ${limits.pageSize.default} if left out; go on with \`nextCursor\`. An empty \`cursor\` counts as left out in searches and in the list of homes. A cursor is ${limits.cursorLength.min} to ${limits.cursorLength.max} characters long.
`;

const repeats = `
## Sending it again

Whatever got lost on the way can be sent again, with the same IDs and versions.

- **Creates**: same ID and same input answer with the resource as it is now, 200 instead of 201 (a 202 stays a 202), use no quota and pass even when it is used up. Same ID and other input is 409 \`conflict\` with reason \`different_input\`, at every create. Inputs are compared by meaning: order of members and blanks do not matter.
- **Without an ID**: \`Idempotency-Key\` names the resource instead. With neither, 400.
- **Commands**: checkout, operation, \`expectedVersion\` and input make a command. Sent again after it took effect, it answers with the checkout as it is now, uses no quota and applies nothing twice, however many commands came after it. A stale version with anything different is 412 \`precondition_failed\`: read and decide anew.
- **Version**: \`expectedVersion\` in the body or \`If-Match: "3"\`. Neither is 400, and so are two that differ. A command that has no other member needs no body, and no content type, beside \`If-Match\`.
`;

const failures = `
## Errors

Every error has the same envelope, unknown paths included; the token endpoint alone answers in the OAuth form. \`code\` is stable and says what \`details\` holds: \`fields\` of \`invalid_input\`, \`reason\` of \`forbidden\`, \`conflict\` and \`policy_restricted\`. \`message\` says what is wrong in this case, for logs and not for guests. \`requestId\` equals the \`x-request-id\` header, which the service makes for every answer. Whether the same call can succeed later is \`retryable\`; then wait \`retryAfterSeconds\` and read the resource before you repeat.

Where several things are wrong, the first of these answers: the path (404), the token (401), the grant (403), size, content type, JSON, members, path and query (400), whether what is named exists for you (404), the session capability (403), how the application settles (422 \`payment_not_required\`, 503 \`not_configured\`). Then a repeat gets its answer. Then come quota (429), version (412), state (409) and all the rest, rules of party and stay (422) before free nights (409).

\`policy_restricted\` stands for rules of the stay and for promotion codes too, not for the party alone. A request cannot bring about any answer above 499 but 503 \`not_configured\`. A search or calendar that failed is an error and never an empty result; do not show it as "nothing free".

## Quotas

${quotaList}

These are the defaults; others can be agreed. They refill all the time, so short bursts are fine. Every call whose token and grant are good uses one, whatever it answers, except a repeat. A call that ends before the quota is looked at is counted too, but only down to nothing: it is never refused for it. \`RateLimit\` and \`RateLimit-Policy\` on every such answer say what is left.
`;

const simulation = `
## The simulation

The sandbox keeps all the rules of production, and the application settles as it does there. \`GET /v1/site\` answers \`environment\` = \`simulation\`, and \`meta.definitionVersion\` is \`${simulationDefinitionVersion}\`. The environments \`test\` and \`live\` run the same code on real inventory.

It offers 120 homes in 6 collections, in different time zones, with rates, seasons, fees, taxes and rules of their own; some refuse pets, children or infants, one has \`sleeps\` null and one \`timeZone\` null. About 60 % of nights are free, in a pattern that is made up and always the same. Simulated reservations take no nights away: the same stay can be confirmed twice. Two applications are there from the start, with every grant: one card-paying, one partner-settled.

A submitted checkout has its outcome within about a second, and \`pollAfterSeconds\` is 1 (elsewhere 2). The guest's email selects the outcome, by what stands before the \`@\` in \`<local>+<suffix>@<domain>\`; any other confirms.

${suffixList}

A cancellation or change happens once, to the reservation alone, when the reservation or its checkout (not its status) is next read after those seconds; checkout and confirmation stay as they were. For reservation requests \`uncertain\` shows as \`unresolved\`, and \`quote_expired\` as \`failed\` with that reason.

The examples in this document are one booking of a simulated home, and can be sent there as they are; put in only what the service makes up itself (token, session capability, setup reference, reference). To go through them again, choose other IDs.

The payment method plays a part of its own: \`pm_simulated_requires_action\` asks for a step of authentication, \`pm_simulated_declined\` is a declined card, which shows at submit as \`failed\` with \`refused\`; every other value pays.
`;

const versions = `
## Versions

This is wire version ${wireVersion}, under the prefix \`/v1\`. Within it members, states, actions and operations may be added and nothing is taken away, so ignore members that you do not know. A breaking change is a new wire version, on a timeline agreed with every partner. A \`Deprecation\` header marks what will go one day; the changelog lists every change, and the release manifest binds the wire version to the digest of this document.
`;

/** The text that opens the document: how a booking goes, and what holds for every operation. */
export const guide: string = [
  flow,
  states,
  access,
  requests,
  repeats,
  failures,
  simulation,
  versions,
]
  .map((part) => part.trim())
  .join('\n\n');
