/** How long a partner's read waits while hostile input is sent. */
import { operatorOperations } from '../../src/contract/operator/operations.ts';
import { operations } from '../../src/contract/partner/operations.ts';
import { issueOperatorToken } from '../../src/sign-in/index.ts';
import {
  hostileBodies,
  hostileCatalogs,
  hostileHomes,
  largeBodies,
} from '../../test/harness/hostile-input.ts';
import { WaitProbe } from '../../test/harness/wait-probe.ts';
import { type BenchSystem, startBenchSystem } from '../bench-system.ts';
import { requestBytes } from '../http-client.ts';
import type { Measure } from '../measure.ts';
import { importHomes } from '../nights.ts';

/** What may be added to the longest wait of before. */
const allowedMs = 100;
/** Of the partner that reads. */
const homes = 200;
const aloneMs = 5_000;
const pauseMs = 200;
/** How often each input is sent at once: more than have a slot. */
const atOnce = 4;

interface HostileCall {
  name: string;
  path: string;
  token: string;
  body: string;
}

/** Every hostile input of the tests, as a call. */
async function hostileCalls(system: BenchSystem, partnerToken: string): Promise<HostileCall[]> {
  const issued = await issueOperatorToken(system.database, 'bench', {
    name: 'bench',
    role: 'content',
    lifetimeSeconds: 3_600,
  });
  const { token } = issued;
  const price = operatorOperations['operator.listing.price'].path;
  const drafts = Object.entries(hostileHomes).map(([name, listing]) => ({
    name,
    path: price,
    token,
    body: JSON.stringify({
      listing,
      checkIn: '2027-03-01',
      checkOut: '2027-03-04',
      party: { adults: 1 },
    }),
  }));
  const catalogs = Object.entries(hostileCatalogs).map(([name, { text }]) => ({
    name,
    path: operatorOperations['operator.catalog.import'].path,
    token,
    body: JSON.stringify({ file: text }),
  }));
  const large = Object.entries(largeBodies).map(([name, body]) => ({
    name,
    path: price,
    token,
    body,
  }));
  const small = Object.entries(hostileBodies).map(([name, { text }]) => ({
    name,
    path: operations['reservation.quote.create'].path,
    token: partnerToken,
    body: text,
  }));
  const signIn = {
    name: '16,000 @ at sign-in',
    path: operatorOperations['operator.session.begin'].path,
    token: '',
    body: JSON.stringify({ email: `${'@'.repeat(15_000)} `, password: 'x' }),
  };
  return [...drafts, ...catalogs, ...large, ...small, signIn];
}

async function send(port: number, { path, token, body }: HostileCall): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== '' && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body,
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${path} is ${response.status}: ${text}`);
}

/**
 * The longest wait of a read while each hostile input is sent by several callers at once. The floor is the longest
 * wait before, and 100 ms: a ratio of at most 1 keeps the promise.
 */
export const measureHostileInput: Measure['run'] = async (rounds, onRound) => {
  const system = await startBenchSystem({ LATCHKEY_ENVIRONMENT: 'test' });
  try {
    await importHomes(system.database, system.dataDir, homes);
    const { token } = await system.partner();
    const { port } = system.service;
    const request = requestBytes('GET', '/v1/inventory-changes', {
      authorization: `Bearer ${token}`,
    });
    const calls = await hostileCalls(system, token);
    const probe = new WaitProbe({ port, request });
    const measured = async (work: () => Promise<unknown>): Promise<number> => {
      await probe.sinceLast();
      await work();
      return (await probe.sinceLast()).worstMs;
    };
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    try {
      await pause(pauseMs);
      for (let round = 0; round < rounds; round += 1) {
        const alone = await measured(() => pause(aloneMs));
        let worst = { name: '', ms: 0 };
        for (const call of calls) {
          const ms = await measured(async () => {
            await Promise.all(Array.from({ length: atOnce }, () => send(port, call)));
            await pause(pauseMs);
          });
          if (process.env['LATCHKEY_BENCH_EACH']) console.log(`${ms.toFixed(0)} ms: ${call.name}`);
          if (ms > worst.ms) worst = { name: call.name, ms };
        }
        console.log(
          `longest wait ${worst.ms.toFixed(0)} ms, alone ${alone.toFixed(0)}: ${worst.name}`,
        );
        onRound({ floor: alone + allowedMs, figure: worst.ms });
      }
    } finally {
      await probe.stop();
    }
  } finally {
    await system.close();
  }
};
