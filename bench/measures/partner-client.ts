/** What the partners' client costs beside a bare `fetch`. */
import { createClient } from '../../packages/partner/src/index.ts';
import { startBenchSystem } from '../bench-system.ts';
import { perSecond } from '../load.ts';
import type { Measure } from '../measure.ts';

const inFlight = 4;
const secondsPerRound = 3;

/** The CPU time of this process in microseconds for each call. */
async function cpuOfEach(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  const calls = await perSecond(inFlight, secondsPerRound, async () => {
    await call();
  });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (calls * secondsPerRound);
}

/** A read of the site by the client; the floor is a bare `fetch` of the same, parsed. */
export const measurePartnerClient: Measure['run'] = async (rounds, onRound) => {
  const system = await startBenchSystem();
  try {
    const { applicationId, applicationKey, token } = await system.partner();
    const baseUrl = `http://127.0.0.1:${system.service.port}`;
    const client = createClient({ baseUrl, applicationId, applicationKey });
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const bare = () => fetch(`${baseUrl}/v1/site`, { headers }).then((found) => found.json());
    const byClient = () => client.call('distribution.site.get');
    await cpuOfEach(bare);
    await cpuOfEach(byClient);
    for (let round = 0; round < rounds; round += 1) {
      onRound({ floor: await cpuOfEach(bare), figure: await cpuOfEach(byClient) });
    }
  } finally {
    await system.close();
  }
};
