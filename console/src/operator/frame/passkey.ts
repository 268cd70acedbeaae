/** Passkeys in the browser. */
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** Whether this browser can use passkeys on this page: only over https, or on this machine. */
export const hasPasskeys = (): boolean => window.isSecureContext && browserSupportsWebAuthn();

/** Lets the member use a passkey. Returns what it answers, as the service takes it. */
export const signWithPasskey = async ({ options }: { options: string }): Promise<string> =>
  JSON.stringify(
    await startAuthentication({
      optionsJSON: JSON.parse(options) as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    }),
  );

/** Lets the member make a passkey. Returns what the service adds. */
export const makePasskey = async ({ options }: { options: string }): Promise<string> =>
  JSON.stringify(
    await startRegistration({
      optionsJSON: JSON.parse(options) as Parameters<typeof startRegistration>[0]['optionsJSON'],
    }),
  );
