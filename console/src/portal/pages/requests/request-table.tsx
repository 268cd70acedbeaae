import { TextLink } from '../../../base/components/links.tsx';
import { ItemTable } from '../../../base/components/item-table.tsx';
import { callColumns } from '../../../base/requests/call-columns.tsx';
import type { LoggedRequest } from '../../../base/requests/types.ts';

const columns = callColumns(({ requestId }, text) => (
  <TextLink to="/requests/$requestId" params={{ requestId }} size="sm">
    {text}
  </TextLink>
));

/** A list of calls; each leads to its page. */
export const RequestTable = ({ items }: { items: readonly LoggedRequest[] }) => (
  <ItemTable
    caption="Requests"
    items={items}
    keyOf={({ requestId }) => requestId}
    columns={columns}
  />
);
