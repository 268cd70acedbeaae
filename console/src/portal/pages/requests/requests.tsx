import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { requestsQuery } from '../../api/queries.ts';
import type { RequestFilter } from '../../api/types.ts';
import { Choice } from '../../../base/components/choice.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Paged } from '../../../base/components/paged.tsx';
import { TypedField } from '../../../base/components/typed-field.tsx';
import { codesAsTheyAre, statusChoices } from '../../../base/requests/choices.ts';
import { RequestTable } from './request-table.tsx';

const methodChoices = ['GET', 'POST', 'PATCH'].map((value) => ({ value, label: value }));

function Filters({
  filter,
  onChange,
  onFind,
}: {
  filter: RequestFilter;
  onChange: (change: RequestFilter) => void;
  onFind: (requestId: string | undefined) => void;
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
        choices={codesAsTheyAre}
        onChoose={(code) => onChange({ code })}
      />
      <TypedField
        key={filter.operation}
        label="Operation"
        placeholder="reservation.quote.create"
        value={filter.operation}
        onEnter={(operation) => onChange({ operation })}
      />
      <TypedField
        key={`about ${filter.about}`}
        label="About"
        placeholder="LK-7Q4M-2XHV, or an ID"
        value={filter.about}
        onEnter={(about) => onChange({ about })}
      />
      <TypedField
        label="Request ID"
        placeholder="8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46"
        value={undefined}
        onEnter={onFind}
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
      30 days: method, path, status and what was wrong, without guest data. Make a call to see it
      here.
    </Empty>
  );
}

/** The application's calls of the booking API, newest first. */
export function Requests() {
  const filter = useSearch({ from: '/inside/requests' });
  const navigate = useNavigate();
  const query = useQuery(requestsQuery(filter));
  const go = (search: RequestFilter) => void navigate({ to: '/requests', search });
  const find = (requestId: string | undefined) =>
    requestId && void navigate({ to: '/requests/$requestId', params: { requestId } });
  return (
    <Stack gap="md">
      <PageTitle title="Requests" about="Your calls of the booking API, newest first." />
      <Filters
        filter={filter}
        onChange={(change) => go({ ...filter, cursor: undefined, ...change })}
        onFind={find}
      />
      <Paged
        query={query}
        cursor={filter.cursor}
        onGo={(cursor) => go({ ...filter, cursor })}
        renderNone={(hasMore) => <NoRequest filter={filter} hasMore={hasMore} />}
      >
        {(items) => <RequestTable items={items} />}
      </Paged>
    </Stack>
  );
}
