/** What an operator can grant to an application, in display order. Spec: ACCESS-8. */
export const capabilities = [
  'catalog',
  'search',
  'quotes',
  'checkout',
  'signals',
  'changes',
] as const;
export type Capability = (typeof capabilities)[number];

/** What the applications of a new simulation may do. Requests for changes need the operator's own decision. */
export const seededCapabilities: readonly Capability[] = capabilities.filter(
  (capability) => capability !== 'changes',
);

/** The scopes that each capability carries in a token. */
export const scopesOf = {
  catalog: ['distribution.listing.read'],
  search: ['distribution.listing.search', 'inventory.calendar.read'],
  quotes: ['reservation.quote.create'],
  checkout: [
    'reservation.checkout.read',
    'reservation.checkout.write',
    'reservation.reservation.read',
    'reservation.request.read',
    'reservation.request.write',
    'reservation.event.read',
  ],
  signals: ['cdp.signal.capture'],
  changes: ['reservation.change.read', 'reservation.change.write'],
} as const satisfies Record<Capability, readonly string[]>;

/** A scope of a token. Each operation needs exactly one. */
export type Scope = (typeof scopesOf)[Capability][number];

/** Every scope, in the order of the capabilities. */
export const scopes: readonly Scope[] = capabilities.flatMap((capability) => scopesOf[capability]);

/** The capability that carries each scope. */
export const capabilityOf = Object.fromEntries(
  capabilities.flatMap((capability) => scopesOf[capability].map((scope) => [scope, capability])),
) as Readonly<Record<Scope, Capability>>;
