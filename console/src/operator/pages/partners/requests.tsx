import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Choice } from '../../../base/components/choice.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { ListArea, SkipToList } from '../../../base/components/list-area.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { TypedField } from '../../../base/components/typed-field.tsx';
import { callColumns } from '../../../base/requests/call-columns.tsx';
import { callChoices, codeChoices, statusChoices } from '../../../base/requests/choices.ts';
import type { LoggedRequest } from '../../../base/requests/types.ts';
import { type RequestFilter, requestsQuery } from '../../api/webhooks.ts';
import { DayField } from '../../components/day-field.tsx';
import { StayDays } from '../../components/stay-days.tsx';
import { PartnerFrame } from './partner-frame.tsx';

/** The home and the dates that a call was about. */
const about: Column<LoggedRequest> = {
  name: 'Home and stay',
  cell: ({ home, checkIn, checkOut }) => {
    const stay = checkIn !== null && checkOut !== null && <StayDays from={checkIn} to={checkOut} />;
    if (home === null && !stay) return '–';
    return (
      <Stack gap={0}>
        {home}
        {stay}
      </Stack>
    );
  },
};

const columnsOf = (applicationId: string): readonly Column<LoggedRequest>[] => {
  const columns = callColumns(({ requestId }, text) => (
    <TextLink
      to="/partners/$applicationId/requests/$requestId"
      params={{ applicationId, requestId }}
      size="sm"
    >
      {text}
    </TextLink>
  ));
  return columns.toSpliced(1, 0, about);
};

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
      <SkipToList />
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
        <Choice
          label="Call"
          value={filter.operation}
          choices={callChoices}
          onChoose={(operation) => change({ operation })}
        />
        <DayField label="From" value={filter.from} onChoose={(from) => change({ from })} />
        <DayField label="Until" value={filter.until} onChoose={(until) => change({ until })} />
        <TypedField label="Request ID" value={undefined} onEnter={find} />
      </Group>
      <ListArea>
        <PagedTable
          query={query}
          cursor={filter.cursor}
          onGo={(cursor) => go({ ...filter, cursor })}
          renderNone={(hasMore) => <NoRequest filter={filter} hasMore={hasMore} />}
          caption="Requests"
          columns={columnsOf(applicationId)}
          keyOf={({ requestId }) => requestId}
        />
      </ListArea>
    </Stack>
  );
}

/** The logged calls of an application, newest first, without what they carried. */
export const PartnerRequests = () => (
  <PartnerFrame>{({ applicationId }) => <Requests applicationId={applicationId} />}</PartnerFrame>
);
