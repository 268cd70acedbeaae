import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { errors } from '../../../../../src/contract/errors.ts';
import { requestsQuery } from '../../api/queries.ts';
import type { LoggedRequest, RequestFilter } from '../../api/types.ts';
import { Choice } from '../../../base/parts/choice.tsx';
import { Copy } from '../../../base/parts/copy.tsx';
import { Empty } from '../../../base/parts/empty.tsx';
import { TextLink } from '../../../base/parts/links.tsx';
import { Loaded } from '../../../base/parts/loaded.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { PageTitle } from '../../../base/parts/page-title.tsx';
import { Paging } from '../../../base/parts/paging.tsx';
import { Records, type Column } from '../../../base/parts/records.tsx';
import { durationText } from '../../../base/words/instants.ts';
import { TypedField } from '../../../base/parts/typed-field.tsx';

const statusChoices = [
  { value: '2xx', label: '2xx, succeeded' },
  { value: '3xx', label: '3xx, unchanged' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, error on our side' },
];
const methodChoices = ['GET', 'POST', 'PATCH'].map((value) => ({ value, label: value }));
const codeChoices = Object.keys(errors).map((value) => ({ value, label: value }));

const columns: readonly Column<LoggedRequest>[] = [
  {
    name: 'Call',
    cell: ({ method, path, operation }) => (
      <Stack gap={0}>
        <span className="mono">
          {method} {path}
        </span>
        {operation && (
          <Text size="xs" c="dimmed">
            {operation}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    name: 'Response',
    cell: ({ status, code }) => (
      <Stack gap={0}>
        <Text size="sm" fw={status >= 400 ? 600 : 400}>
          {status}
        </Text>
        {code && <span className="mono">{code}</span>}
      </Stack>
    ),
  },
  { name: 'Duration', cell: ({ durationMs }) => durationText(durationMs) },
  { name: 'Time', cell: ({ at }) => <Moment at={at} /> },
  {
    name: 'Request ID',
    cell: ({ requestId }) => (
      <Group gap={4} wrap="nowrap">
        <span className="mono">{requestId}</span>
        <Copy value={requestId} what="request ID" />
      </Group>
    ),
  },
];

function Filters({
  filter,
  onChange,
}: {
  filter: RequestFilter;
  onChange: (change: RequestFilter) => void;
}) {
  return (
    <Group gap="sm" align="flex-end" component="search" aria-label="Filter the requests">
      <Choice
        label="Method"
        value={filter.method}
        choices={methodChoices}
        onChoose={(method) => onChange({ method })}
      />
      <Choice
        label="Status"
        value={filter.status}
        choices={statusChoices}
        onChoose={(status) => onChange({ status })}
      />
      <Choice
        label="Code"
        value={filter.code}
        choices={codeChoices}
        onChoose={(code) => onChange({ code })}
      />
      <TypedField
        key={filter.operation}
        label="Operation"
        placeholder="reservation.quote.create"
        value={filter.operation}
        onEnter={(operation) => onChange({ operation })}
      />
    </Group>
  );
}

function NoRequest({ filter, hasMore }: { filter: RequestFilter; hasMore: boolean }) {
  // With filters, the service scans a part of the log per call.
  if (hasMore)
    return <Empty title="No match on this page">Select “Older” to search further.</Empty>;
  if (Object.values(filter).some(Boolean)) {
    return (
      <Empty title="No requests match">
        <TextLink to="/requests" search={{}} size="sm">
          Show all requests
        </TextLink>
      </Empty>
    );
  }
  return (
    <Empty title="No requests yet">
      Your calls of the booking API are logged after your first portal link was issued, and kept for
      30 days: method, path and status, without guest data. Make a call to see it here.
    </Empty>
  );
}

/** The application's calls of the booking API, newest first. */
export function Requests() {
  const filter = useSearch({ from: '/inside/requests' });
  const navigate = useNavigate();
  const query = useQuery(requestsQuery(filter));
  const go = (search: RequestFilter) => void navigate({ to: '/requests', search });
  return (
    <Stack gap="md">
      <PageTitle title="Requests" about="Your calls of the booking API, newest first." />
      <Filters
        filter={filter}
        onChange={(change) => go({ ...filter, cursor: undefined, ...change })}
      />
      <Loaded query={query}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <NoRequest filter={filter} hasMore={nextCursor !== null} />
            ) : (
              <Records
                caption="Requests"
                items={items}
                keyOf={({ requestId }) => requestId}
                columns={columns}
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
