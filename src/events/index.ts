export { envelopeOf, eventIdOf } from './envelope.ts';
export { endpointUrlRefusal } from './webhooks/endpoint-url.ts';
export { webhookMessage } from './webhooks/message.ts';
export { newWebhookSecret, signWebhook } from './webhooks/signature.ts';
