/**
 * Programs that do one thing wrong. They are written without our client, so that each mistake can be made, and the
 * program without a mistake shows that nothing but the mistake is judged.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BookInput, Outcome, Task } from '../../src/contract/sandbox/conformance.ts';
import type { Profile, ScenarioId } from '../../src/contract/sandbox/scenarios.ts';

/** Each mistake, in a profile, with the scenarios that it fails. */
export const mutants = {
  'a token for each caller': ['checkout', 'token-shared'],
  'no new token after a 401': ['checkout', 'token-refused'],
  'only the first page': ['checkout', 'catalog-pages'],
  'searches again at once': ['checkout', 'search-unavailable'],
  'does not wait after 429': ['checkout', 'rate-limited'],
  'an unknown state is a failure': ['checkout', 'unknown-values'],
  'another ID after a lost quote': ['checkout', 'quote-reply-lost'],
  'another ID after a lost checkout': ['checkout', 'create-reply-lost'],
  'gives up an expired quote': ['checkout', 'quote-expired'],
  'quotes again after 422': ['checkout', 'rule-refused'],
  'quotes again after 409': ['checkout', 'nights-taken'],
  'guesses the version after 412': ['checkout', 'version-stale'],
  'books again after a lost submit': ['checkout', 'submit-reply-lost'],
  'books again after 504, though it was submitted': ['checkout', 'unresolved-applied'],
  'gives up after 504, if it was not submitted': ['checkout', 'unresolved-not-applied'],
  'reads ten times a second': ['checkout', 'pending-long'],
  'what was uncertain has failed': ['checkout', 'uncertain-confirmed'],
  'what was uncertain is confirmed': ['checkout', 'uncertain-failed'],
  'what stays uncertain has failed': ['checkout', 'uncertain-stays'],
  'books again while it is uncertain': [
    'checkout',
    'uncertain-confirmed',
    'uncertain-failed',
    'uncertain-stays',
  ],
  'insists on a home that is sold out': ['checkout', 'sold-out'],
  'tells the first price': ['checkout', 'price-changed'],
  'pays any price': ['checkout', 'price-too-high'],
  'accepts the first terms again': ['checkout', 'terms-changed'],
  'gives up after one setup': ['card', 'setup-unavailable'],
  'sets up again what was declined': ['card', 'setup-declined'],
  'does not verify again': ['card', 'card-action'],
  'a page of a proxy is a failure': ['checkout', 'proxy-page'],
  'no check of signatures': ['checkout', 'webhook-forged'],
  'no check of the time': ['checkout', 'webhook-forged'],
  'acts on each delivery': ['checkout', 'webhook-repeated'],
  'only webhooks, no feed': ['checkout', 'events-missed'],
  'knows reservations as they were': [
    'checkout',
    'staff-change',
    'webhook-repeated',
    'events-missed',
  ],
  'follows for a moment': [
    'checkout',
    'webhook-forged',
    'webhook-repeated',
    'events-missed',
    'staff-change',
  ],
  'takes yen for cents': ['checkout', 'currency-no-decimals'],
  'cuts the third decimal': ['checkout', 'currency-three-decimals'],
  'hides homes without a price': ['checkout', 'null-members'],
  'counts nights by hours': ['checkout', 'clock-change-dates'],
  'trusts its own clock': ['checkout', 'clock-off'],
  'gives up an ended session': ['checkout', 'session-ended'],
  'gets a token after 403': ['checkout', 'session-ended'],
  'overlooks deprecation': ['checkout', 'deprecation-seen'],
} as const satisfies Record<string, readonly [Profile, ...ScenarioId[]]>;

export type Mistake = keyof typeof mutants;

/** Where a program calls, and where it is called. */
export interface Setting {
  origin: string;
  applicationId: string;
  applicationKey: string;
  port: number;
  secret: string;
}

/** What the program reads of a resource. A resource has some of these members. */
interface Body {
  error?: { code: string };
  items: {
    id: string;
    listingId: string;
    total: number | null;
    listing: { listingId: string };
  }[];
  timeZone: string;
  expiresAt: string;
  nextCursor: string | null;
  quoteId: string;
  charges: { total: number; currency: string };
  terms: { version: string };
  checkoutId: string;
  sessionCapability: string;
  version: number;
  nextActions?: string[];
  paymentSetup: { state: string; failure?: string; setupReference: string };
  pollAfterSeconds?: number;
  state: string;
  failure?: { reason: string };
  reference?: string;
  checkIn: string;
  checkOut: string;
}

const noBody = {} as Body;

interface Answer {
  /** 0: none. */
  status: number;
  body: Body;
  code: string;
  retryAfterMs: number;
}

interface Sent {
  body?: object;
  session?: string;
}

const failed: Outcome = { ended: 'failed' };
const refused: Outcome = { ended: 'refused' };
const stale: ReadonlySet<string> = new Set(['price_changed', 'policy_changed', 'quote_expired']);
const waiting: ReadonlySet<string> = new Set(['pending', 'uncertain']);
const final: ReadonlySet<string> = new Set(['confirmed', 'failed', 'expired', 'requires_action']);
const mostTries = 5;
const hasPrice = ({ total }: { total: number | null }): boolean => total !== null;

/** A program with one mistake; null: none. */
export function mutantProgram(mistake: Mistake | null, setting: Setting) {
  const is = (one: Mistake): boolean => one === mistake;
  let token: Promise<string> | null = null;
  const deprecated = new Set<string>();

  async function exchange(): Promise<string> {
    const { origin, applicationId, applicationKey } = setting;
    const response = await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${applicationId}:${applicationKey}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  async function send(method: string, path: string, { body, session }: Sent): Promise<Answer> {
    const current = token ?? exchange();
    // Shared from its beginning; by mistake only when it has come.
    if (!is('a token for each caller')) token = current;
    else void current.then(() => (token = current));
    try {
      const response = await fetch(`${setting.origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await current}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(session && { 'session-capability': session }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const found = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const parsed = isJson && found !== '' ? (JSON.parse(found) as Body) : noBody;
      const isRefused = response.status === 403 && is('gets a token after 403');
      if ((response.status === 401 || isRefused) && token === current) token = null;
      if (response.headers.has('deprecation')) deprecated.add('distribution.site.get');
      return {
        status: response.status,
        body: parsed,
        code: parsed.error?.code ?? (isJson ? '' : 'page'),
        retryAfterMs: Number(response.headers.get('retry-after') ?? 1) * 1_000 + 20,
      };
    } catch {
      return { status: 0, body: noBody, code: 'lost', retryAfterMs: 200 };
    }
  }

  /** What had no effect, or has a name, is sent again. */
  async function call(
    method: string,
    path: string,
    sent: Sent = {},
    again: (failure: Answer) => boolean = () => true,
  ): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await send(method, path, sent);
      if (answer.status === 401) {
        if (tries > 1 || is('no new token after a 401')) return answer;
        continue;
      }
      const isPassing = answer.status === 429 || answer.status === 503 || answer.status === 0;
      if (!isPassing || tries === mostTries || !again(answer)) return answer;
      const isEager = answer.status === 429 && is('does not wait after 429');
      await sleep(isEager ? 50 : answer.retryAfterMs);
    }
  }

  const isNotLost = ({ status }: Answer): boolean => status !== 0;

  /** A create: with the same ID after its response is lost. */
  async function create(path: string, body: () => object, mayRename: boolean): Promise<Answer> {
    const first = body();
    const answer = await call('POST', path, { body: first }, mayRename ? isNotLost : undefined);
    return answer.status === 0 && mayRename ? call('POST', path, { body: body() }) : answer;
  }

  const read = (checkoutId: string, session: string, part = ''): Promise<Answer> =>
    call('GET', `/v1/checkouts/${checkoutId}${part}`, { session });

  interface Booking {
    checkoutId: string;
    session: string;
    quote: Body;
    until: number;
  }

  async function outcomeOf({ checkoutId, session, until }: Booking): Promise<Answer | null> {
    let wasUncertain = false;
    while (Date.now() < until) {
      const answer = await read(checkoutId, session, '/status');
      const { state, pollAfterSeconds = 1 } = answer.body;
      if (is('a page of a proxy is a failure') && answer.code === 'page') return null;
      if (is('an unknown state is a failure') && state && !waiting.has(state) && !final.has(state))
        return null;
      if (state === 'uncertain') {
        wasUncertain = true;
        if (is('books again while it is uncertain')) return null;
      }
      if (final.has(state)) {
        if (wasUncertain && is('what was uncertain has failed')) return null;
        if (wasUncertain && is('what was uncertain is confirmed')) answer.body.state = 'confirmed';
        return answer;
      }
      await sleep(is('reads ten times a second') ? 100 : pollAfterSeconds * 1_000);
    }
    return { status: 200, body: { ...noBody, state: 'open' }, code: '', retryAfterMs: 0 };
  }

  type Ended = Outcome | 'again';

  async function pay({ checkoutId, session }: Booking): Promise<boolean> {
    const command = async (part: string, body: object = {}): Promise<Answer> => {
      const { body: now } = await read(checkoutId, session);
      const sent = { session, body: { expectedVersion: now.version, ...body } };
      return call('POST', `/v1/checkouts/${checkoutId}/${part}`, sent);
    };
    for (let setups = 1; ; setups += 1) {
      await command('payment-setup');
      let { body: found } = await read(checkoutId, session);
      while (found.paymentSetup?.state === 'pending') {
        await sleep((found.pollAfterSeconds ?? 1) * 1_000);
        ({ body: found } = await read(checkoutId, session));
      }
      const { state, failure, setupReference } = found.paymentSetup;
      if (state === 'ready') {
        const card = { setupReference, paymentMethodId: 'pm_conformance', consentAccepted: true };
        await command('payment-method', card);
        return true;
      }
      const mayHelp =
        failure === 'unavailable'
          ? !is('gives up after one setup')
          : is('sets up again what was declined');
      if (!mayHelp || setups === 3) return false;
    }
  }

  /** Submits. Null: it has begun; else how the booking ended. */
  async function submit(booking: Booking, termsVersion: string): Promise<Ended | null> {
    const { checkoutId, session } = booking;
    const path = `/v1/checkouts/${checkoutId}/submit`;
    let version = 0;
    let isUnresolved = false;
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const found = await read(checkoutId, session);
      if (found.body.nextActions?.includes('refresh_quote')) {
        return is('gives up an expired quote') ? failed : 'again';
      }
      const isSubmitted = !found.body.nextActions?.includes('submit');
      if (isSubmitted) {
        const isTwice = is('books again after 504, though it was submitted');
        return isTwice && isUnresolved ? 'again' : null;
      }
      if (
        tries > 1 &&
        is('gives up after 504, if it was not submitted') &&
        version === found.body.version
      )
        return failed;
      ({ version } = found.body);
      const body = { expectedVersion: version, termsVersion, termsAccepted: true };
      const sent = () => call('POST', path, { session, body }, isNotLost);
      let answer = await sent();
      if (answer.status === 412 && is('guesses the version after 412')) {
        body.expectedVersion += 1;
        answer = await sent();
      }
      if (answer.status === 0 && is('books again after a lost submit')) return 'again';
      if (answer.status < 300 && answer.status > 0) return null;
      if (answer.code === 'quote_expired')
        return is('gives up an expired quote') ? failed : 'again';
      if (![0, 412, 504].includes(answer.status)) return failed;
      isUnresolved = answer.status === 504;
    }
    return failed;
  }

  /** What the guest is told, in minor units. */
  function toldTotal({ total, currency }: Body['charges']): { total: number; currency: string } {
    const isCut = is('cuts the third decimal') && currency === 'KWD';
    if (isCut) return { total: Math.floor(total / 10), currency };
    const isCents = is('takes yen for cents') && currency === 'JPY';
    return { total: isCents ? Math.round(total / 100) : total, currency };
  }

  /** The day of departure, after so many nights. */
  async function departureOf({ listingId, checkIn, checkOut }: BookInput): Promise<string> {
    if (!is('counts nights by hours')) return checkOut;
    const { body: home } = await call('GET', `/v1/listings/${listingId}`);
    const midnight = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(home.timeZone);
    const hours = midnight(checkIn).until(midnight(checkOut), { largestUnit: 'hour' }).hours;
    return Temporal.PlainDate.from(checkIn)
      .add({ days: Math.floor(hours / 24) })
      .toString();
  }

  async function bookOnce(
    input: BookInput,
    profile: Profile,
    until: number,
    first: { quote?: Body },
  ): Promise<Ended> {
    const { listingId, checkIn, party, guest, partnerReference, maxTotal } = input;
    const stay = { listingId, checkIn, checkOut: await departureOf(input), party };
    const newQuote = () => ({ quoteId: randomUUID(), ...stay });
    const made = await create('/v1/quotes', newQuote, is('another ID after a lost quote'));
    if (made.status >= 400 || made.status === 0) {
      const isInsisting =
        (made.status === 422 && is('quotes again after 422')) ||
        (made.status === 409 && is('quotes again after 409'));
      if (isInsisting) await call('POST', '/v1/quotes', { body: newQuote() });
      return refused;
    }
    const quote = made.body;
    first.quote ??= quote;
    if (is('trusts its own clock') && Date.parse(quote.expiresAt) < Date.now()) return 'again';
    if (quote.charges.total > maxTotal.amount && !is('pays any price')) return failed;
    const newCheckout = () => ({
      checkoutId: randomUUID(),
      quoteId: quote.quoteId,
      partnerReference,
    });
    const isRenamed = is('another ID after a lost checkout');
    const created = await create('/v1/checkouts', newCheckout, isRenamed);
    if (created.code === 'quote_expired') return is('gives up an expired quote') ? failed : 'again';
    if (created.status >= 400) return failed;
    const { checkoutId, sessionCapability: session, version } = created.body;
    const booking = { checkoutId, session, quote, until };
    const saved = await call('PATCH', `/v1/checkouts/${checkoutId}/guest`, {
      session,
      body: { expectedVersion: version, guest },
    });
    if (saved.code === 'quote_expired') return is('gives up an expired quote') ? failed : 'again';
    if (saved.code === 'forbidden') return is('gives up an ended session') ? failed : 'again';
    if (profile === 'card' && !(await pay(booking))) return failed;
    const accepted = is('accepts the first terms again') ? first.quote : quote;
    const ended = await submit(booking, accepted.terms.version);
    return ended ?? endOf(booking, await outcomeOf(booking), first.quote);
  }

  async function endOf(booking: Booking, status: Answer | null, first: Body): Promise<Ended> {
    if (!status) return is('books again while it is uncertain') ? 'again' : failed;
    const { state, reference = 'LK-0000-0000', failure } = status.body;
    if (state === 'open') return is('what stays uncertain has failed') ? failed : { ended: 'open' };
    if (state === 'requires_action' && !is('does not verify again')) {
      await authenticate(booking);
      return endOf(booking, await outcomeOf(booking), first);
    }
    if (state === 'confirmed') {
      const told = is('tells the first price') ? first : booking.quote;
      return { ended: 'confirmed', reference, ...toldTotal(told.charges) };
    }
    const isInsisting = is('insists on a home that is sold out') && failure?.reason === 'sold_out';
    return stale.has(failure?.reason ?? '') || isInsisting ? 'again' : failed;
  }

  /** The guest authenticates: the same payment method again. */
  async function authenticate({ checkoutId, session }: Booking): Promise<void> {
    const { body: found } = await read(checkoutId, session);
    const { setupReference } = found.paymentSetup;
    const card = { setupReference, paymentMethodId: 'pm_conformance', consentAccepted: true };
    const body = { expectedVersion: found.version, ...card };
    await call('POST', `/v1/checkouts/${checkoutId}/payment-method`, { session, body });
  }

  async function book(input: BookInput, profile: Profile, seconds: number): Promise<Outcome> {
    const until = Date.now() + seconds * 1_000;
    const first = {};
    for (let tries = 1; tries <= 3; tries += 1) {
      const ended = await bookOnce(input, profile, until, first);
      if (ended !== 'again') {
        // It was sold out before; now it is taken.
        const isTaken = tries > 1 && ended === refused;
        const isInsisting = isTaken && is('insists on a home that is sold out');
        if (!isInsisting || tries === 3) return ended;
      }
    }
    return failed;
  }

  /** Whether a webhook is genuine. */
  function isGenuine(headers: Record<string, unknown>, body: string): boolean {
    const id = String(headers['webhook-id']);
    const time = String(headers['webhook-timestamp']);
    const isOld = Math.abs(Date.now() / 1_000 - Number(time)) > 300;
    if (isOld && !is('no check of the time') && !is('no check of signatures')) return false;
    if (is('no check of signatures')) return true;
    const key = Buffer.from(setting.secret.replace('whsec_', ''), 'base64');
    const right = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    return String(headers['webhook-signature']).split(' ').includes(`v1,${right}`);
  }

  async function known(
    references: readonly string[],
  ): Promise<NonNullable<Outcome['reservations']>> {
    const found: NonNullable<Outcome['reservations']> = {};
    for (const reference of references) {
      const { body } = await call('GET', `/v1/reservations/${reference}`);
      const { state, checkIn, checkOut } = body;
      found[reference] = { state, checkIn, checkOut };
    }
    return found;
  }

  async function follow(input: {
    cursor: string;
    seconds: number;
    references: string[];
  }): Promise<Outcome> {
    const until = Date.now() + (is('follows for a moment') ? 0 : input.seconds * 1_000);
    const before = is('knows reservations as they were') ? await known(input.references) : null;
    const acted: string[] = [];
    const act = (id: string): void => {
      if (!acted.includes(id) || is('acts on each delivery')) acted.push(id);
    };
    const server = createServer(async (request, response) => {
      const body = (await buffer(request)).toString();
      const isReal = isGenuine(request.headers, body);
      if (isReal) act((JSON.parse(body) as { id: string }).id);
      response.writeHead(isReal ? 204 : 400).end();
    }).listen(setting.port, '127.0.0.1');
    let { cursor } = input;
    const readFeed = async (): Promise<void> => {
      const { body } = await call('GET', `/v1/events?cursor=${encodeURIComponent(cursor)}`);
      for (const { id } of body.items) if (!acted.includes(id)) acted.push(id);
      cursor = body.nextCursor ?? cursor;
    };
    const reads = is('only webhooks, no feed') ? () => Promise.resolve() : readFeed;
    try {
      while (Date.now() < until) {
        await reads();
        await sleep(1_000);
      }
      // What has happened since the last read.
      await reads();
    } finally {
      server.closeAllConnections();
      server.close();
    }
    return {
      ended: 'done',
      events: acted,
      reservations: before ?? (await known(input.references)),
    };
  }

  async function sync(): Promise<Outcome> {
    const listings: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const { body } = await call('GET', `/v1/listings${query}`);
      for (const { listingId } of body.items) listings.push(listingId);
      cursor = is('only the first page') ? null : body.nextCursor;
    }
    return { ended: 'done', listings };
  }

  async function search(body: object): Promise<Outcome> {
    for (let tries = 1; tries <= 4; tries += 1) {
      const answer = await send('POST', '/v1/listings/search', { body });
      if (answer.status === 200) {
        const isShown = is('hides homes without a price') ? hasPrice : () => true;
        const listings = answer.body.items.filter(isShown).map(({ listing }) => listing.listingId);
        return { ended: 'done', listings };
      }
      if (!is('searches again at once')) await sleep(answer.retryAfterMs);
    }
    return { ended: 'error' };
  }

  return async ({ kind, input, sayWithinSeconds }: Task, profile: Profile): Promise<Outcome> => {
    if (kind === 'sync') return sync();
    if (kind === 'search') return search(input);
    if (kind === 'follow') return follow(input as Parameters<typeof follow>[0]);
    if (kind === 'book') return book(input as BookInput, profile, sayWithinSeconds - 3);
    const { calls } = input as { calls: number };
    await Promise.all(Array.from({ length: calls }, () => call('GET', '/v1/site')));
    return { ended: 'done', ...(!is('overlooks deprecation') && { deprecated: [...deprecated] }) };
  };
}
