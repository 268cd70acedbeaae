import { oneValue } from '../../platform/postgres/statement-functions.ts';

/** Finds the application of an endpoint, for staff, who give only its ID. */
export const findEndpointOwner = oneValue<[endpointId: string], string>({
  name: 'find-webhook-endpoint-owner',
  text: `SELECT application_id FROM webhook_endpoints WHERE endpoint_id = $1 AND deleted_at IS NULL`,
});

/** Finds the application of a delivery. */
export const findDeliveryOwner = oneValue<[deliveryId: string], string>({
  name: 'find-webhook-delivery-owner',
  text: `SELECT d.application_id FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE d.delivery_id = $1`,
});
