export { envelopeOf, eventIdOf } from './envelope.ts';
export { startDeliverer, type Deliverer } from './webhooks/deliverer.ts';
export { endpointUrlRefusal } from './webhooks/endpoint-url.ts';
export { webhookMessage } from './webhooks/message.ts';
export { newWebhookSecret, signWebhook } from './webhooks/signature.ts';
