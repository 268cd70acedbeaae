import { refuse, type Refusal } from '../../contract/errors.ts';
import { canonicalNetwork } from '../../platform/allowed-networks.ts';

const message = 'must be a network, as 203.0.113.0/24 or 2001:db8::/32, or an address';

/** The networks that staff name, as they are stored; undefined: none is named. */
export function networksOf(
  named: readonly string[] | undefined,
): string[] | undefined | Refusal<'invalid_input'> {
  const read = named?.map(canonicalNetwork);
  const fields = (read ?? []).flatMap((network, at) =>
    network === null ? [{ path: `/networks/${at}`, message }] : [],
  );
  if (fields.length > 0) return refuse('invalid_input', { fields });
  return read?.flatMap((network) => network ?? []);
}
