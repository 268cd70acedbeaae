/** The nonce under which this page may write styles: the service sent it with the page. */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// The package that locks scrolling under a dialog looks for the nonce of its styles here.
Object.defineProperty(globalThis, '__webpack_nonce__', { value: styleNonce });
