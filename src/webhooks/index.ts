export { webhookAttention } from './attention.ts';
export { webhookActs } from './staff/acts.ts';
export { type Deliverer, startDeliverer } from './deliverer.ts';
export { webhookMessage } from './message.ts';
export { portalDeliveryActs } from './operations/deliveries.ts';
export { portalEndpointActs } from './operations/endpoints.ts';
export { listDeliveriesOfEvents, listShownDeliveriesOfEvents } from './store/delivery-lists.ts';
export { listFailingEndpoints } from './store/failing-endpoints.ts';
export {
  eraseResponses,
  exhaustEventless,
  sweepDeletedEndpoints,
  sweepDeliveries,
} from './store/sweeps.ts';
export { readWebhookWorkload } from './store/workload.ts';
export { startOrderedDeliveries } from './ordered-deliveries.ts';
export { sealedSecrets } from './store/endpoint-secrets.ts';
export { countOrdered, orderDeliveries, readAnswers } from './store/ordered-deliveries.ts';
