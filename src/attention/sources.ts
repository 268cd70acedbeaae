import { moneyAttention } from '../payments/index.ts';
import type { AttentionSource } from '../platform/attention-source.ts';

/** Everything that can wait for people. A subject adds its kinds here. */
export const attentionSources: readonly AttentionSource[] = [...moneyAttention];
