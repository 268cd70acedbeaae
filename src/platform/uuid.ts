const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a UUID in lower case, the form in which IDs are stored. */
export const isUuid = (text: string): boolean => pattern.test(text);
