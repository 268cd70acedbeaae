import { readFunnel } from '../../signals/index.ts';
import { act } from '../kinds.ts';

/** Reads the funnel from search to reservation. */
export const getFunnel = act('operator.funnel.read', {
  reply: async ({ context: { reads, now }, query }) => ({
    status: 200,
    body: await reads.run((from) => readFunnel(from, query, now())),
  }),
});
