import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Breakable } from '../components/breakable.tsx';
import { Moment } from '../components/moment.tsx';
import type { Column } from '../components/item-table.tsx';
import { durationText } from '../words/instants.ts';
import { Word } from '../components/word.tsx';
import type { LoggedRequest } from './types.ts';

/** The columns of a list of calls. `linkTo` makes a link to the page of a call. */
export const callColumns = (
  linkTo: (call: LoggedRequest, text: ReactNode) => ReactNode,
): readonly Column<LoggedRequest>[] => [
  {
    name: 'Call',
    cell: (call) => (
      <Stack gap={0}>
        {linkTo(
          call,
          <>
            <span className="mono">{call.method}</span> <Breakable text={call.path} />
          </>,
        )}
        <Text size="xs" c="dimmed">
          {call.operation === null ? 'Unknown path or method' : <Word of={call.operation} />}
        </Text>
      </Stack>
    ),
  },
  {
    name: 'Response',
    cell: ({ status, code, reason, fault }) => (
      <Stack gap={0}>
        <Text size="sm" fw={status === null || status >= 400 ? 600 : 400}>
          {status ?? 'Connection ended'}
        </Text>
        {code && <Word of={code} />}
        {reason && (
          <Text size="xs" c="dimmed">
            <Word of={reason} />
          </Text>
        )}
        {fault && (
          <Text size="xs" c="dimmed" className="whole">
            Sandbox, {fault}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    name: 'Duration',
    isFigure: true,
    cell: ({ durationMs }) => <span className="whole">{durationText(durationMs)}</span>,
  },
  { name: 'Time', cell: ({ at }) => <Moment at={at} /> },
];
