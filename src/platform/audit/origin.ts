import { AsyncLocalStorage } from 'node:async_hooks';

/** From where something is done. */
export interface Origin {
  /** The program that was used. */
  by: 'console' | 'api' | 'portal' | 'command line';
  /** The address of the caller; null: it is this machine. */
  address: string | null;
  /** What the caller's program calls itself; empty: nothing. */
  userAgent: string;
}

const origins = new AsyncLocalStorage<Origin>();

/** Runs work that is done from somewhere: its audit entries name it. */
export const withOrigin = <T>(origin: Origin, work: () => T): T => origins.run(origin, work);

/** From where the current work is done. Undefined: the service does it by itself. */
export const currentOrigin = (): Origin | undefined => origins.getStore();

/** The current origin as the audit trail shows it: `console 203.0.113.5`. */
export function sourceText(): string {
  const origin = currentOrigin();
  if (!origin) return 'service';
  return origin.address === null ? origin.by : `${origin.by} ${origin.address}`;
}
