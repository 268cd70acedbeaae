import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { errors } from '../../../../../src/contract/errors.ts';
import { Breakable } from '../../../base/parts/breakable.tsx';
import { Choice } from '../../../base/parts/choice.tsx';
import { Empty } from '../../../base/parts/empty.tsx';
import { TextLink } from '../../../base/parts/links.tsx';
import { Loaded } from '../../../base/parts/loaded.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { Paging } from '../../../base/parts/paging.tsx';
import { type Column, Records } from '../../../base/parts/records.tsx';
import { TypedField } from '../../../base/parts/typed-field.tsx';
import { durationText } from '../../../base/words/instants.ts';
import { type LoggedRequest, type RequestFilter, requestsQuery } from '../../api/webhooks.ts';
import { PartnerFrame } from './partner-frame.tsx';

const columnsOf = (applicationId: string): readonly Column<LoggedRequest>[] => [
  {
    name: 'Call',
    cell: ({ requestId, method, path, operation }) => (
      <Stack gap={0}>
        <TextLink
          to="/partners/$applicationId/requests/$requestId"
          params={{ applicationId, requestId }}
          size="sm"
        >
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
  { name: 'Duration', cell: ({ durationMs }) => durationText(durationMs) },
  { name: 'Time', cell: ({ at }) => <Moment at={at} /> },
];

const statusChoices = [
  { value: '2xx', label: '2xx, succeeded' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, error on our side' },
];
const codeChoices = Object.keys(errors).map((value) => ({ value, label: value }));

function NoRequest({ filter, hasMore }: { filter: RequestFilter; hasMore: boolean }) {
  if (hasMore) return <Empty title="None on this page">Select “Older” to look further.</Empty>;
  if (Object.values(filter).some(Boolean)) {
    return <Empty title="No requests match">Calls are kept for 30 days.</Empty>;
  }
  return (
    <Empty title="No requests">
      Calls are logged from the first portal link of the application on, and kept for 30 days.
    </Empty>
  );
}

function Requests({ applicationId }: { applicationId: string }) {
  const filter = useSearch({ from: '/inside/partners/$applicationId/requests' });
  const navigate = useNavigate();
  const query = useQuery(requestsQuery(applicationId, filter));
  const to = '/partners/$applicationId/requests';
  const go = (search: RequestFilter) => void navigate({ to, params: { applicationId }, search });
  const find = (requestId: string | undefined) =>
    requestId !== undefined &&
    void navigate({
      to: '/partners/$applicationId/requests/$requestId',
      params: { applicationId, requestId },
    });
  const change = (changed: RequestFilter) => go({ ...filter, cursor: undefined, ...changed });
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end" component="search" aria-label="Filter the requests">
        <Choice
          label="Status"
          value={filter.status}
          choices={statusChoices}
          onChoose={(status) => change({ status })}
        />
        <Choice
          label="Code"
          value={filter.code}
          choices={codeChoices}
          onChoose={(code) => change({ code })}
        />
        <TypedField
          key={filter.operation}
          label="Operation"
          placeholder="reservation.quote.create"
          value={filter.operation}
          onEnter={(operation) => change({ operation })}
        />
        <TypedField label="Request ID" value={undefined} onEnter={find} />
      </Group>
      <Loaded query={query}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <NoRequest filter={filter} hasMore={nextCursor !== null} />
            ) : (
              <Records
                caption="Requests"
                columns={columnsOf(applicationId)}
                items={items}
                keyOf={({ requestId }) => requestId}
              />
            )}
            <Paging
              cursor={filter.cursor}
              nextCursor={nextCursor}
              onGo={(cursor) => go({ ...filter, cursor })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

/** The logged calls of an application, newest first, without what they carried. */
export const PartnerRequests = () => (
  <PartnerFrame>{({ applicationId }) => <Requests applicationId={applicationId} />}</PartnerFrame>
);
