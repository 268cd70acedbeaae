/** The wire version: the document's `info.version`. Spec: VERSION-1. */
export const wireVersion = '0.2.0-preview.2';

/**
 * The document's `info.x-revision`: rises with every published change within a wire version. The changelog has a
 * heading for each. Spec: VERSION-7.
 */
export const contractRevision = 2;

/** `meta.definitionVersion` of the simulation. Spec: SIMULATION-7. */
export const simulationDefinitionVersion = 'booking-simulation/1';

/** `meta.definitionVersion` of the operator's own inventory. Spec: ENVIRONMENT-3. */
export const inventoryDefinitionVersion = 'latchkey-inventory/1';

/** The values of `environment` in `GET /v1/site`. Spec: LISTING-1. */
export const environments = ['simulation', 'test', 'live'] as const;
export type Environment = (typeof environments)[number];

/** Who pays for the stay: the guest's card through us, or the partner. Spec: ACCESS-2. */
export const settlements = ['card', 'partner'] as const;
export type Settlement = (typeof settlements)[number];

/** Values of `X-Booking-Consumer`. Spec: CALL-11. */
export const consumers = ['web', 'agent', 'cli', 'staff'] as const;
