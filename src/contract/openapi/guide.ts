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
    return `\`${tier}\`, ${defaultQuotas[tier]} calls per minute: ${named(ids)}`;
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
With Latchkey, the servers of a partner search, price and reserve vacation homes in real time, with JSON over HTTPS. A guest's browser or device never calls it.

## A booking from end to end

1. **Site**: read what this application may offer (\`GET /v1/site\`).
2. **Homes**: keep a copy of the listings and refresh it (\`GET /v1/listings\`).
3. **Availability**: search for dates and party, or read the calendar of one home.
4. **Quote**: get the exact price and terms, valid for ${limits.quoteMinutes} minutes. A quote does not hold the nights.
5. **Checkout**: turn the quote into a reservation. Store the \`sessionCapability\` of the response.
6. **Guest**, and for card-paying applications **payment**: set up the payment, let the guest enter the card in the hosted fields, send the verified payment method.
7. **Submit**: 202 means accepted, not confirmed.
8. **Status**: poll it every \`pollAfterSeconds\` until there is an outcome.
9. **Confirmation**: read it, and later the **reservation** by its reference.

Every response with a checkout or a reservation request lists the possible next steps in \`nextActions\`. Let your code follow that instead of this list: the steps depend on the settlement of the application, and new actions can appear. If you do not know an action, read the resource again later. An unknown action never means success.

Settlement is fixed for the application; no request can change it. *Card-paying*: the guest pays by card in hosted fields. *Partner-settled*: you collect the money yourself, a checkout has no payment steps, and \`POST /v1/reservation-requests\` makes a reservation in one call.

No operation cancels or changes a confirmed reservation. The operator's reservations team does that. The change appears on the reservation and as an event.
`;

const states = `
## States of a checkout

${stateList}

Until submit, you can apply a promotion code and replace the guest. A command that the state does not allow is 409 \`invalid_state\` and changes nothing. Reads never change a checkout. In \`uncertain\`, do not submit again and do not book the same stay in another way. After \`failed\` and \`expired\` there is no reservation: create a new quote.

After the quote has expired, reads of a checkout that was not submitted offer only \`refresh_quote\` and do not change the state. The next command is 409 \`quote_expired\`; it moves the checkout to \`expired\` and raises its version by one. No event is sent, because nothing was submitted. The same command gets the same response again. This does not apply to the repeat of a command that took effect before.
`;

const access = `
## Access

The operator registers an application and issues an application ID and a key, one pair for each environment. A key has the form \`lk_<sandbox|test|live>_<key id>_<secret>_<checksum>\` with a secret of 256 random bits in base62; the service stores only its SHA-256. Exchange it at \`POST /oauth/token\` for an access token that is valid for at most ${limits.accessTokenSeconds} seconds. Cache the token until about a minute before it expires, and share it among concurrent calls. After a 401, exchange the key once and send the call again; nothing was executed. The operator can issue a new key while the old one still works. A revoked key gets no more tokens; tokens that it already got end within seconds. You can end a single token at \`POST /oauth/revoke\`. A client finds the endpoints by the metadata at \`/.well-known/oauth-authorization-server\` (RFC 8414) and \`/.well-known/oauth-protected-resource\` (RFC 9728).

An application has grants. A token has the scopes of these grants, or fewer if you request fewer. Each operation needs exactly one scope and returns 403 \`forbidden\` without it. The \`capabilities\` of the site are the grants that this deployment can serve.

${scopeList}

Calls on an existing checkout also need its session capability (see \`SessionCapability\`).

Resources of another application do not exist for you: they give the same 404, in comparable time.
`;

const requests = `
## Requests

- **Bodies** are JSON in UTF-8 of at most ${limits.bodyBytes} bytes, nested at most ${limits.bodyDepth} deep; the token endpoint takes a form. An object that has a member twice is refused: programs differ in which of both they read.
- **Unknown** members and query parameters are refused, so a typo cannot go unnoticed. Only the token endpoint ignores unknown parameters.
- **IDs** that you choose (\`quoteId\`, \`checkoutId\`, \`reservationRequestId\`, \`signalId\`) are UUIDs of RFC 9562, preferably version 7. Nil and Max are accepted; the prefix \`urn:uuid:\` is not. Upper case is accepted and returned as lower case. Each application has IDs of its own: two applications can use the same one.
- **Dates** are \`YYYY-MM-DD\` in the \`timeZone\` of the property, or in UTC if that is null. This also holds for "today". A stay has ${limits.nightsPerStay.min} to ${limits.nightsPerStay.max} nights; the night of \`checkOut\` is not part of it. 400 \`invalid_input\`: a date that does not exist, a \`checkOut\` that is not after \`checkIn\`, an arrival before today or more than ${limits.bookingHorizonDays} days ahead.
- **Party**: ${limits.adults.min} to ${limits.adults.max} \`adults\` are required; \`children\`, \`infants\` and \`pets\` are ${limits.otherGuests.min} to ${limits.otherGuests.max}, and 0 if absent. Adults and children count against \`sleeps\`; infants do not. Every home refuses more than ${limits.infants} infants with 422 \`too_many_guests\`; if \`sleeps\` is null, also more than ${limits.guestsWithoutSleeps} adults and children.
- **Money** is in minor units of \`currency\`, as integers, taxes included. Show prices as they are. The sums in \`charges\` are exact.
- **Members of responses**: a required member is always present, and \`null\` if it has no value. An optional member is absent if it has no value, and never \`null\`. So the \`reference\` of a checkout and of its status is absent until it is confirmed, and the \`reference\` of a reservation request is \`null\` until then.
- **URLs**: if the base URL has a path, every URL of the service starts with it, \`Location\` included.
- **Methods**: HEAD is not supported. It returns 404, like any other unknown method.
- **Caching**: site, homes, list of homes and checkouts carry an \`ETag\`; the first three accept \`If-None-Match\` and return 304 without a body. Live reads, quotes, checkouts and tokens are \`Cache-Control: no-store\`.
- **Compression**: a response above 4 KB is compressed if \`Accept-Encoding\` allows it: live ones by gzip, site and homes also by br. Its \`ETag\` is the weak form of the other one, and \`If-None-Match\` takes both. Checkouts, whose tag \`If-Match\` takes, are not compressed, nor are errors. Most HTTP clients ask for it and unpack it by themselves.
- **Lists**: \`limit\` from ${limits.pageSize.min} to ${limits.pageSize.max}, ${limits.pageSize.default} if absent. Continue with \`nextCursor\`. An empty \`cursor\` counts as absent in searches and in the list of homes. A cursor has ${limits.cursorLength.min} to ${limits.cursorLength.max} characters.
`;

const repeats = `
## Repeating calls

You can repeat any call whose response was lost, with the same IDs and versions.

- **Creates**: the same ID with the same input returns the resource in its current state, with 200 instead of 201 (a 202 stays a 202). It uses no quota and succeeds even if the quota is used up. The same ID with different input is 409 \`conflict\` with reason \`different_input\`. Inputs are compared by meaning: the order of members and white space do not matter.
- **Without an ID**: send \`Idempotency-Key\` instead. A call with neither is 400.
- **Commands**: checkout, operation, \`expectedVersion\` and input identify a command. If it already took effect, a repeat returns the checkout in its current state, uses no quota and applies nothing twice, even after later commands. A different command with an old version is 412 \`precondition_failed\`: read the checkout and decide again.
- **Version**: \`expectedVersion\` in the body or \`If-Match: "3"\`. Sending neither is 400, and so is sending two different versions. With \`If-Match\`, a command without other members needs no body and no content type.
`;

const failures = `
## Errors

Every error has the same envelope, also for unknown paths. Only the token endpoint uses the OAuth form. \`code\` is stable and determines \`details\`: \`fields\` for \`invalid_input\`, \`reason\` for \`forbidden\`, \`conflict\`, \`policy_restricted\` and some \`rate_limited\`. \`message\` describes the problem of this call; it is for logs, not for guests. \`requestId\` equals the \`x-request-id\` header, which the service generates for every response. \`retryable\` tells whether the same call can succeed later. If so, wait \`retryAfterSeconds\` and read the resource before you repeat the call.

If several things are wrong, the first failed check in this order decides: the path (404), the token (401), the grant (403), size, content type, JSON, members, path and query (400), existence of the named resources (404), the session capability (403), the settlement (422 \`payment_not_required\`, 503 \`not_configured\`). A repeat gets its response at this point. Then follow quota and daily limit (429), version (412), state (409) and everything else, with the rules of party and stay (422) before availability (409).

\`policy_restricted\` covers the rules of the party, of the stay and of promotion codes. 503 \`not_configured\` is the only 5xx that a request can cause. A search or calendar that failed is an error and never an empty result; do not show it as "nothing available".

## Quotas

${quotaList}

These are the defaults; the operator can set others. Quotas refill continuously, so short bursts are fine. Every call with a valid token and grant uses one call of the quota, with any result, except a repeat. A call that fails before the quota check is counted too, but it is never refused because of the quota. \`RateLimit\` and \`RateLimit-Policy\` on these responses show what is left.

The operator can also limit how many reservations an application makes in a day (UTC); there is no such limit by default. Above it, submit and reservation request are 429 \`rate_limited\` with reason \`reservations_per_day\`, until the end of the day. Failed and cancelled reservations are not counted.
`;

const simulation = `
## The simulation

The sandbox has all the rules of production, settlement included. \`GET /v1/site\` returns \`environment\` = \`simulation\`, and \`meta.definitionVersion\` is \`${simulationDefinitionVersion}\`. The environments \`test\` and \`live\` run the same code on real inventory.

It offers 120 homes in 6 collections, in different time zones, with their own rates, seasons, fees, taxes and rules. Some refuse pets, children or infants; in one home \`sleeps\` is null, in another \`timeZone\`. About 60 % of nights are available, in a fixed artificial pattern. Simulated reservations do not occupy nights: the same stay can be confirmed twice. Two applications exist from the start, with every grant: one card-paying, one partner-settled.

A submitted checkout has its outcome within about a second, and \`pollAfterSeconds\` is 1 (elsewhere 2). The suffix in the guest's email, \`<local>+<suffix>@<domain>\`, selects the outcome; any other email confirms.

${suffixList}

A cancellation or change happens once, and only to the reservation: at the next read of the reservation or of its checkout (not of its status) after those seconds. Checkout and confirmation do not change. For reservation requests, \`uncertain\` appears as \`unresolved\`, and \`quote_expired\` as \`failed\` with that reason.

The examples in this document are one booking of a simulated home. You can send them to the sandbox as they are; replace only the values that the service generates (token, session capability, setup reference, reference). To run them again, choose other IDs.

The payment method also selects an outcome: \`pm_simulated_requires_action\` requires an authentication step, \`pm_simulated_declined\` is a declined card (after submit, \`failed\` with \`refused\`), and every other value pays.
`;

const versions = `
## Versions

This is wire version ${wireVersion}, under the prefix \`/v1\`. Within a wire version, members, states, actions and operations may be added and nothing is removed, so ignore members that you do not know. A breaking change is a new wire version, on a timeline agreed with every partner. A \`Deprecation\` header marks what will be removed; the changelog lists every change, and the release manifest binds the wire version to the digest of this document.
`;

/** The introduction of the document: the steps of a booking, and the rules for every operation. */
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
