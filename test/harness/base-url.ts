/** Issuer and audience in tests; the port is chosen by the operating system. */
export const testBaseUrl = 'http://latchkey.test';
