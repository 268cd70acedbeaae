import { oneRow } from '../../platform/postgres/statement-functions.ts';

interface OwnerRow {
  application_id: string;
}

/** Finds the application of an endpoint, for staff, who give only its ID. */
export const findEndpointOwner = oneRow<[endpointId: string], OwnerRow, string>({
  name: 'find-webhook-endpoint-owner',
  text: `SELECT application_id FROM webhook_endpoints WHERE endpoint_id = $1 AND deleted_at IS NULL`,
  result: ({ application_id }) => application_id,
});

/** Finds the application of a delivery. */
export const findDeliveryOwner = oneRow<[deliveryId: string], OwnerRow, string>({
  name: 'find-webhook-delivery-owner',
  text: `SELECT d.application_id FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE d.delivery_id = $1`,
  result: ({ application_id }) => application_id,
});
