import { Alert, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { AfterPaint } from '../../../base/components/after-paint.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { PageFailure } from '../../../base/components/late-page.tsx';
import { ListedLink, TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Word } from '../../../base/components/word.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { type Overview as Shown, overviewQuery } from '../../api/reservations.ts';
import { attentionQuery } from '../../api/attention.ts';
import { Waiting } from '../attention/waiting.tsx';
import { hrefOf } from '../../words/addresses.ts';
import { dayText } from '../../words/days.ts';
import { partyText } from '../../../base/words/party.ts';
import { FirstSteps } from './first-steps.tsx';
import { LateChart } from './late-chart.ts';

const chartHeight = 285;

type Stay = Shown['arrivals']['items'][number];

const stayColumns = (other: 'checkIn' | 'checkOut', name: string): readonly Column<Stay>[] => [
  {
    name: 'Reservation',
    cell: ({ reference }) => (
      <ListedLink href={hrefOf(['reservations', reference])} className="mono">
        {reference}
      </ListedLink>
    ),
  },
  { name: 'Guest', cell: ({ guest }) => guest ?? '–' },
  { name: 'Home', cell: ({ home, listing, listingId }) => home ?? listing ?? listingId },
  { name: 'Guests', cell: ({ party }) => partyText(party) },
  { name, cell: (stay) => dayText(stay[other]) },
  { name: 'Partner', cell: ({ application }) => application },
];

function Stays({
  title,
  stays,
  columns,
}: {
  title: string;
  stays: Shown['arrivals'];
  columns: readonly Column<Stay>[];
}) {
  const count = `${stays.items.length}${stays.hasMore ? ' and more' : ''}`;
  return (
    <Section title={`${title} today: ${count}`} about="By the day at the property.">
      {stays.items.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody.
        </Text>
      ) : (
        <ItemTable
          caption={title}
          columns={columns}
          items={stays.items}
          keyOf={({ reference }) => reference}
        />
      )}
    </Section>
  );
}

const countText = (count: number): string => (count >= 1_000 ? '1,000 or more' : `${count}`);

/** Where a number leads, and the filters that show what it counts. */
const searches = {
  '/checkouts': {},
  '/waiting': {},
  '/channels': {},
  '/reservations': { recordsRefused: 'true' },
} as const;

const Tile = ({ count, children }: { count: number; children: ReactNode }) => (
  <Paper withBorder p="sm" className="need">
    <Text size="xl" fw={650}>
      {countText(count)}
    </Text>
    {children}
  </Paper>
);

const Need = ({ count, name, to }: { count: number; name: string; to: keyof typeof searches }) =>
  count > 0 && (
    <Tile count={count}>
      <TextLink to={to} search={searches[to]} size="sm">
        {name}
      </TextLink>
    </Tile>
  );

type Endpoints = Shown['needs']['failingEndpoints'];

/** Leads to the partner if it is only one; otherwise each is named below. */
function FailingWebhooks({ endpoints }: { endpoints: Endpoints }) {
  if (endpoints.length === 0) return undefined;
  const [applicationId, ...others] = new Set(endpoints.map((endpoint) => endpoint.applicationId));
  const name = 'Failing webhooks';
  return (
    <Tile count={endpoints.length}>
      {applicationId !== undefined && others.length === 0 ? (
        <TextLink to="/partners/$applicationId/webhooks" params={{ applicationId }} size="sm">
          {name}
        </TextLink>
      ) : (
        <Text size="sm">{name}</Text>
      )}
    </Tile>
  );
}

function FailingEndpoints({ endpoints }: { endpoints: Endpoints }) {
  if (endpoints.length === 0) return undefined;
  return (
    <Alert color="orange" variant="light" title="Webhooks of partners fail">
      <Stack gap={4}>
        {endpoints.map(({ endpointId, applicationId, application, url, failingSince, state }) => (
          <Group key={endpointId} gap="xs">
            <TextLink
              to="/partners/$applicationId/webhooks"
              params={{ applicationId }}
              size="sm"
              underline="always"
            >
              {application}
            </TextLink>
            <span className="mono">{url}</span>
            <Text size="sm">
              {failingSince ? <Moment at={failingSince} /> : <Word of={state} />}
            </Text>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

const ClockNotice = ({ since }: { since: string }) => (
  <Alert color="red" variant="light" title="The database's clock has jumped">
    Since <Moment at={since} />, nothing is swept or collected. If the clock is right, confirm it:{' '}
    <span className="mono">latchkey clock confirm --reason TEXT</span>
  </Alert>
);

const isQuiet = (needs: Shown['needs']): boolean =>
  Object.values(needs).every((one) => (Array.isArray(one) ? one.length === 0 : !one));

const Needs = ({ needs }: { needs: Shown['needs'] }) => (
  <Section title="What needs attention now">
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, sm: 3 }}>
        <Need count={needs.uncertainCheckouts} name="Uncertain checkouts" to="/checkouts" />
        <Need count={needs.payments} name="Payments to decide" to="/waiting" />
        <Need count={needs.channelConflicts} name="Channel conflicts" to="/channels" />
        <Need count={needs.failingCalendars} name="Failing calendars" to="/channels" />
        <Need count={needs.shrunkCalendars} name="Shrunk calendars" to="/channels" />
        <Need count={needs.unreadCalendars} name="Unread calendars" to="/channels" />
        <Need count={needs.refusedRecords} name="Refused records" to="/reservations" />
        <FailingWebhooks endpoints={needs.failingEndpoints} />
      </SimpleGrid>
      <FailingEndpoints endpoints={needs.failingEndpoints} />
      {needs.clockHeldSince !== null && <ClockNotice since={needs.clockHeldSince} />}
    </Stack>
  </Section>
);

const shownItems = 8;

/** The first of what waits for people. */
function WaitsFirst() {
  const { data } = useQuery(attentionQuery);
  if (!data) return undefined;
  const { items } = data;
  if (items.length === 0) {
    return (
      <Section title="Waits for you">
        <Text size="sm" c="dimmed">
          Nothing waits for anybody.
        </Text>
      </Section>
    );
  }
  return (
    <Section
      title="Waits for you"
      actions={
        items.length > shownItems && (
          <TextLink to="/waiting" size="sm">
            Show all
          </TextLink>
        )
      }
    >
      <Waiting items={items.slice(0, shownItems)} />
    </Section>
  );
}

const isFirstDay = ({ arrivals, departures, booked }: Omit<Shown, 'needs'>): boolean =>
  booked.length + arrivals.items.length + departures.items.length === 0;

/** What happens today, and what needs attention now. */
export function Overview() {
  const query = useQuery(overviewQuery);
  return (
    <Stack gap="md">
      <PageTitle title="Overview" about="What waits for you, and who arrives and leaves today." />
      <Loaded query={query}>
        {({ arrivals, departures, booked, needs }) => (
          <>
            {isFirstDay({ arrivals, departures, booked }) && <FirstSteps />}
            <WaitsFirst />
            <Stays title="Arrivals" stays={arrivals} columns={stayColumns('checkOut', 'Until')} />
            <Stays
              title="Departures"
              stays={departures}
              columns={stayColumns('checkIn', 'Since')}
            />
            {!isQuiet(needs) && <Needs needs={needs} />}
            {/* It takes several times as long as the rest. */}
            <AfterPaint>
              <Section title="Booked in the last 30 days" about="By day in UTC and partner.">
                {booked.length === 0 ? (
                  <Empty title="Nothing booked yet">
                    New bookings appear here within a minute.
                  </Empty>
                ) : (
                  <CatchBoundary getResetKey={() => 'chart'} errorComponent={PageFailure}>
                    <Suspense fallback={<Skeleton height={chartHeight} />}>
                      <LateChart booked={booked} />
                    </Suspense>
                  </CatchBoundary>
                )}
              </Section>
            </AfterPaint>
          </>
        )}
      </Loaded>
    </Stack>
  );
}
