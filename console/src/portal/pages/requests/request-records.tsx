import { TextLink } from '../../../base/components/links.tsx';
import { Records } from '../../../base/components/records.tsx';
import { callColumns } from '../../../base/requests/call-columns.tsx';
import type { LoggedRequest } from '../../../base/requests/types.ts';

const columns = callColumns(({ requestId }, text) => (
  <TextLink to="/requests/$requestId" params={{ requestId }} size="sm">
    {text}
  </TextLink>
));

/** A list of calls; each leads to its page. */
export const RequestRecords = ({ items }: { items: readonly LoggedRequest[] }) => (
  <Records
    caption="Requests"
    items={items}
    keyOf={({ requestId }) => requestId}
    columns={columns}
  />
);
