import { patterns } from '../contract/patterns.ts';

const uuid = new RegExp(patterns.uuid.pattern);

/** Whether a text is a UUID in lower case, the form in which IDs are stored. */
export const isUuid = (text: string): boolean => uuid.test(text) && text === text.toLowerCase();
