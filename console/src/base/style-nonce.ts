/** The nonce for styles of this page; the service sends it with the page. */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// The package that blocks scrolling behind a dialog reads its nonce from here.
Object.defineProperty(globalThis, '__webpack_nonce__', { value: styleNonce });
