import { patterns } from '../contract/patterns.ts';

/** Before every other UUID. */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

/** After every other UUID. */
export const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const uuid = new RegExp(patterns.uuid.pattern);

/** Writes 16 bytes in hex as a UUID. */
export const uuidOfHex = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Whether a text is a UUID in lower case, the form in which IDs are stored. */
export const isUuid = (text: string): boolean => uuid.test(text) && text === text.toLowerCase();
