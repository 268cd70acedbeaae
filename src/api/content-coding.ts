/** Which coding a response has, by what its caller accepts. */
import type { Row } from '../contract/rows.ts';

/** The codings of responses. */
export type Coding = 'gzip' | 'br';

/**
 * The codings that a row offers, the cheapest first. What changes with every call is compressed for one caller only, so
 * it has the cheap one. `If-Match` takes a strong tag, and a compressed response has none. Spec: CALL-21.
 */
export function codingsOf({ etag }: Row): readonly Coding[] {
  if (etag === 'show') return [];
  return etag === 'revalidate' ? ['gzip', 'br'] : ['gzip'];
}

const part = /^\s*([^\s;]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** The weights of the codings that a header names. What cannot be read is not accepted. */
function weightsOf(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const text of accepted.split(',')) {
    const [, name, weight = '1'] = part.exec(text) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}

/** The coding that a caller likes most, of those that are offered; null: none. Among equals the first one. */
export function codingFor(
  accepted: string | undefined,
  offered: readonly Coding[],
): Coding | null {
  if (accepted === undefined || offered.length === 0) return null;
  const weights = weightsOf(accepted);
  let best: { coding: Coding; weight: number } | null = null;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > (best?.weight ?? 0)) best = { coding, weight };
  }
  return best?.coding ?? null;
}
