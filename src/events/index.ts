export { envelopeOf } from './envelope.ts';
