/** The operations on what is kept about one person. Their input is in the body: no address has it. */
import { call } from './call.ts';
import type { GuestWanted } from './types.ts';

type Named = { email: string } | { reference: string };

export const guests = {
  find: (wanted: GuestWanted) => call('POST', '/guests/find', { body: wanted }),
  export: (named: Named) => call('POST', '/guests/export', { body: named }),
  previewErase: (named: Named) => call('POST', '/guests/erase/preview', { body: named }),
  erase: (body: Named & { reason: string }) => call('POST', '/guests/erase', { body }),
} as const;
