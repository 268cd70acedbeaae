export { simulatedAvailability } from './availability.ts';
export { createSimulatedPayment } from './card-provider.ts';
export { picturesFolder } from './pictures.ts';
export { seedSimulation } from './seed.ts';
export { createSimulatedSupply } from './supplier.ts';
export { generateCatalog, mostGenerated } from './generate/generate-catalog.ts';
