/** The names under which PostgreSQL keeps prepared statements. */
import { createHash } from 'node:crypto';

// PostgreSQL cuts longer names, so two of them could be taken for one.
const longestName = 63;
const digestLength = 12;

/** The name of a statement on its connection: its own, with its variant. The end of a long one becomes a digest. */
export function preparedName({ name, variant }: { name: string; variant?: string }): string {
  if (variant === undefined) return name;
  const whole = `${name}-${variant}`;
  if (whole.length <= longestName) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, digestLength);
  return `${whole.slice(0, longestName - digestLength - 1)}-${digest}`;
}
