import { TextLink } from '../../../base/components/links.tsx';
import { ItemTable } from '../../../base/components/item-table.tsx';
import { deliveryColumns } from '../../../base/webhooks/delivery-columns.tsx';
import type { Delivery, Endpoint } from '../../api/types.ts';

const linkTo = ({ deliveryId, type }: Delivery) => (
  <TextLink
    to="/deliveries/$deliveryId"
    params={{ deliveryId }}
    size="sm"
    fw={600}
    className="whole"
  >
    {type}
  </TextLink>
);

/** A list of deliveries; `endpoints` adds a column with the endpoint. */
export const DeliveryTable = ({
  items,
  endpoints = null,
}: {
  items: readonly Delivery[];
  endpoints?: readonly Endpoint[] | null;
}) => (
  <ItemTable
    caption="Deliveries"
    items={items}
    keyOf={({ deliveryId }) => deliveryId}
    columns={deliveryColumns(linkTo, endpoints)}
  />
);
