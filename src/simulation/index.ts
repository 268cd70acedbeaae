export { picture } from './pictures.ts';
export { seedSimulation } from './seed.ts';
