import { Stack, Text } from '@mantine/core';
import type { LoggedRequest } from '../../api/types.ts';
import { Breakable } from '../../../base/parts/breakable.tsx';
import { TextLink } from '../../../base/parts/links.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { Records, type Column } from '../../../base/parts/records.tsx';
import { durationText } from '../../../base/words/instants.ts';

const columns: readonly Column<LoggedRequest>[] = [
  {
    name: 'Call',
    cell: ({ requestId, method, path, operation }) => (
      <Stack gap={0}>
        <TextLink to="/requests/$requestId" params={{ requestId }} size="sm">
          <span className="mono">{method}</span> <Breakable text={path} />
        </TextLink>
        <Text size="xs" c="dimmed">
          {operation === null ? 'Unknown path or method' : <Breakable text={operation} />}
        </Text>
      </Stack>
    ),
  },
  {
    name: 'Response',
    cell: ({ status, code, reason }) => (
      <Stack gap={0}>
        <Text size="sm" fw={status >= 400 ? 600 : 400}>
          {status}
        </Text>
        {code && <span className="mono whole">{code}</span>}
        {reason && (
          <Text size="xs" c="dimmed" className="whole">
            {reason}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    name: 'Duration',
    cell: ({ durationMs }) => <span className="whole">{durationText(durationMs)}</span>,
  },
  { name: 'Time', cell: ({ at }) => <Moment at={at} /> },
];

/** A list of calls; each leads to its page. */
export const RequestRecords = ({ items }: { items: readonly LoggedRequest[] }) => (
  <Records
    caption="Requests"
    items={items}
    keyOf={({ requestId }) => requestId}
    columns={columns}
  />
);
