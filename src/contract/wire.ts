/** The wire version: the document's `info.version`. Spec: Versioning, rule 1. */
export const wireVersion = '0.2.0-preview.2';

/**
 * The document's `info.x-revision`: rises with every published change within a wire version. The changelog has a
 * heading for each. Spec: decisions, Finding and leaving.
 */
export const contractRevision = 2;

/** `meta.definitionVersion` of the simulation. Spec: Environments. */
export const simulationDefinitionVersion = 'booking-simulation/1';

/** `meta.definitionVersion` of the operator's own inventory. Spec: decisions, The operator's own homes. */
export const inventoryDefinitionVersion = 'latchkey-inventory/1';

/** The values of `environment` in `GET /v1/site`. Spec: Site. */
export const environments = ['simulation', 'test', 'live'] as const;
export type Environment = (typeof environments)[number];

/** Who pays for the stay: the guest's card through us, or the partner. Spec: Settlement modes. */
export const settlements = ['card', 'partner'] as const;
export type Settlement = (typeof settlements)[number];

/** Values of `X-Booking-Consumer`. Spec: Endpoints, common rule 8. */
export const consumers = ['web', 'agent', 'cli', 'staff'] as const;
