import type { Executor, Statement } from '../../platform/postgres/database.ts';

interface OwnerRow {
  application_id: string;
}

const endpointStatement: Statement = {
  name: 'find-webhook-endpoint-owner',
  text: `SELECT application_id FROM webhook_endpoints WHERE endpoint_id = $1 AND deleted_at IS NULL`,
};

/** Finds the application of an endpoint, for staff, who give only its ID. */
export async function findEndpointOwner(
  executor: Executor,
  endpointId: string,
): Promise<string | undefined> {
  const [row] = await executor.query<OwnerRow>(endpointStatement, [endpointId]);
  return row?.application_id;
}

const deliveryStatement: Statement = {
  name: 'find-webhook-delivery-owner',
  text: `SELECT d.application_id FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE d.delivery_id = $1`,
};

/** Finds the application of a delivery. */
export async function findDeliveryOwner(
  executor: Executor,
  deliveryId: string,
): Promise<string | undefined> {
  const [row] = await executor.query<OwnerRow>(deliveryStatement, [deliveryId]);
  return row?.application_id;
}
