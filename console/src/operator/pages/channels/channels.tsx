import {
  Alert,
  Button,
  Code,
  FileInput,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Copy } from '../../../base/parts/copy.tsx';
import { Empty } from '../../../base/parts/empty.tsx';
import { Failure } from '../../../base/parts/failure.tsx';
import { failureBeside, fieldErrors } from '../../../base/parts/field-errors.ts';
import { TextLink } from '../../../base/parts/links.tsx';
import { askFirst } from '../../../base/parts/ask-first.tsx';
import { Loaded } from '../../../base/parts/loaded.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { notifyDone } from '../../../base/parts/notify.tsx';
import { PageTitle } from '../../../base/parts/page-title.tsx';
import { type Column, Records } from '../../../base/parts/records.tsx';
import { Section } from '../../../base/parts/section.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import { homes } from '../../api/homes.ts';
import { blocksQuery, calendarsQuery, conflictsQuery } from '../../api/homes-queries.ts';
import type { BlockPage, ChannelCalendars, ChannelConflicts } from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { HomeChoice } from '../../parts/home-choice.tsx';
import { dayText } from '../../words/days.ts';
import { Paged } from '../../../base/parts/paged.tsx';
import { inOrder } from '../../../base/parts/paging.tsx';

type Calendar = ChannelCalendars['items'][number];
type Conflict = ChannelConflicts['items'][number];
type Block = BlockPage['items'][number];

const shown = { shown: true };

const states = {
  new: { name: 'Not read yet', color: 'gray' },
  ok: { name: 'OK', color: 'teal' },
  failing: { name: 'Failing', color: 'red' },
} as const;

const Home = ({ listing, listingName }: { listing: string; listingName: string }) => (
  <TextLink to="/homes/$listing" params={{ listing }}>
    {listingName}
  </TextLink>
);

const nights = ({ from, to }: { from: string; to: string }): string =>
  `${dayText(from)} – ${dayText(to)}`;

function CalendarActions({ calendar }: { calendar: Calendar }) {
  const refresh = useMutation({
    mutationFn: () => homes.refreshCalendar(calendar.calendarId),
    onSuccess: () => notifyDone('The calendar was read.'),
  });
  const remove = useMutation({
    mutationFn: () => homes.removeCalendar(calendar.calendarId),
    onSuccess: () => notifyDone('The calendar is removed, and its nights are free.'),
  });
  const question = {
    title: 'Remove this calendar?',
    text: 'The nights that it blocked are free again.',
    verb: 'Remove',
    keep: 'Keep',
    color: 'red',
  } as const;
  return (
    <Group gap="xs">
      {calendar.file === null && (
        <Button
          size="compact-xs"
          variant="default"
          loading={refresh.isPending}
          onClick={() => refresh.mutate()}
        >
          Read now
        </Button>
      )}
      <Button
        size="compact-xs"
        variant="default"
        loading={remove.isPending}
        onClick={() => askFirst(question, remove.mutate)}
      >
        Remove
      </Button>
    </Group>
  );
}

/** Where a calendar comes from. */
const sourceOf = ({ origin, file }: Calendar): string | null => origin ?? file;

const calendarColumns: readonly Column<Calendar>[] = [
  { name: 'Home', cell: Home },
  { name: 'From', cell: sourceOf },
  {
    name: 'State',
    cell: ({ state, problem }) => (
      <>
        <StateBadge words={states[state]} />
        {problem && <Text size="xs">{problem.message}</Text>}
      </>
    ),
  },
  { name: 'Blocks', cell: ({ blocks }) => blocks },
  { name: 'Conflicts', cell: ({ conflicts }) => conflicts },
  {
    name: 'Last read',
    cell: ({ refreshedAt }) => (refreshedAt ? <Moment at={refreshedAt} /> : 'never'),
  },
];

const calendarActions: Column<Calendar> = {
  name: 'Actions',
  cell: (calendar) => <CalendarActions calendar={calendar} />,
};

const takenText = ({ takenBy }: Conflict): string => {
  if (takenBy.kind === 'reservation') return `the reservation ${takenBy.reference ?? ''}`;
  if (takenBy.kind === 'booking') return 'a booking whose outcome is not known yet';
  return ['a block', takenBy.reason].filter(Boolean).join(': ');
};

/** `origins`: where each calendar comes from, by its ID. */
const conflictColumns = (
  origins: ReadonlyMap<string, string | null>,
): readonly Column<Conflict>[] => [
  { name: 'Home', cell: Home },
  { name: 'Nights', cell: nights },
  { name: 'From', cell: ({ calendarId }) => origins.get(calendarId) },
  { name: 'Taken by', cell: takenText },
  { name: 'Event', cell: ({ eventUid }) => <span className="mono">{eventUid}</span> },
  { name: 'Found', cell: ({ foundAt }) => <Moment at={foundAt} /> },
];

const sources = { staff: 'Staff', file: 'File', channel: 'Other channel' } as const;

function RemoveBlock({ blockId }: { blockId: string }) {
  const remove = useMutation({
    mutationFn: () => homes.removeBlock(blockId),
    onSuccess: () => notifyDone('The nights are free again.'),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={remove.isPending}
      onClick={() => remove.mutate()}
    >
      Remove
    </Button>
  );
}

const blockColumns: readonly Column<Block>[] = [
  { name: 'Home', cell: Home },
  { name: 'Nights', cell: nights },
  { name: 'Reason', cell: ({ reason }) => reason ?? '–' },
  { name: 'Source', cell: ({ source }) => sources[source] },
];

const blockActions: Column<Block> = {
  name: 'Actions',
  cell: ({ blockId, source }) => source !== 'channel' && <RemoveBlock blockId={blockId} />,
};

function Blocks() {
  const canAct = useMay('reservations');
  const [listing, setListing] = useState<string>();
  const [cursor, setCursor] = useState<string>();
  const query = useQuery(blocksQuery({ listing, cursor }));
  return (
    <Section title="Blocks" about="By home and date. Add one on the calendar.">
      <Stack gap="sm">
        {/* Its width is that of a row of filters. */}
        <Group>
          <HomeChoice
            label="Blocks of the home"
            size="xs"
            className="choice"
            clearable
            value={listing}
            onChoose={(chosen) => {
              setListing(chosen);
              setCursor(undefined);
            }}
          />
        </Group>
        <Paged
          {...inOrder}
          query={query}
          cursor={cursor}
          onGo={setCursor}
          renderNone={() => (
            <Empty title="No blocks">Choose nights on the calendar and press B.</Empty>
          )}
        >
          {(items) => (
            <Records
              caption="Blocks"
              columns={canAct ? [...blockColumns, blockActions] : blockColumns}
              items={items}
              keyOf={({ blockId }) => blockId}
            />
          )}
        </Paged>
      </Stack>
    </Section>
  );
}

/** Adds a calendar of another channel, by its address or as a file. */
function AddCalendar() {
  const [listing, setListing] = useState<string>();
  const [url, setUrl] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const add = useMutation({
    mutationFn: async (home: string) => {
      if (!file) return homes.addCalendar({ listing: home, url: url.trim() });
      return homes.importCalendar({ listing: home, name: file.name, file: await file.text() });
    },
    meta: shown,
    onSuccess: () => {
      notifyDone(file ? 'The file is imported.' : 'It is read within seconds.');
      setUrl('');
      setFile(null);
    },
  });
  const failure = failureBeside(add.error, ['/url']);
  return (
    <Section
      title="Add a calendar"
      about="Its nights are blocked here. Read regularly, or once from a file."
    >
      <Stack gap="sm">
        <HomeChoice label="Home" value={listing} onChoose={setListing} />
        <TextInput
          label="Address"
          placeholder="https://channel.example/calendar.ics"
          value={url}
          error={fieldErrors(add.error).get('/url')}
          disabled={file !== null}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <FileInput
          label="Or a file"
          placeholder="Choose a file"
          accept=".ics,text/calendar"
          clearable
          value={file}
          onChange={setFile}
        />
        {failure && <Failure error={failure} />}
        <Group>
          <Button
            disabled={listing === undefined || (url.trim() === '' && !file)}
            loading={add.isPending}
            onClick={() => listing !== undefined && add.mutate(listing)}
          >
            Add
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

const newAddress = {
  title: 'Make a new address?',
  text: 'All addresses of this home end at once. Every channel that reads one needs the new one.',
  verb: 'Make a new address',
  keep: 'Keep',
  color: 'red',
} as const;

/** Shows the secret address of the calendar of a home. */
function OwnAddress({ calendars }: { calendars: readonly Calendar[] }) {
  const confirmed = useStepUp();
  const [home, setHome] = useState<string>();
  const [calendarId, setCalendarId] = useState<string | null>(null);
  const listing = home ?? '';
  const channels = calendars.filter((calendar) => calendar.listing === listing);
  const show = useMutation({
    mutationFn: (rotate: boolean) =>
      confirmed(() =>
        homes.calendarAddress({ listing, rotate, ...(calendarId !== null && { calendarId }) }),
      ),
    meta: shown,
  });
  return (
    <Section
      title="Our calendar of a home"
      about="For other channels: which nights are taken here."
    >
      <Stack gap="sm">
        <HomeChoice
          label="Home of our calendar"
          value={home}
          onChoose={(chosen) => {
            setHome(chosen);
            setCalendarId(null);
            show.reset();
          }}
        />
        {channels.length > 0 && (
          <Select
            label="Channel that reads it"
            description="The nights that come from its own calendar are left out."
            placeholder="Any: with the nights of all channels"
            data={channels.map((calendar) => ({
              value: calendar.calendarId,
              label: sourceOf(calendar) ?? calendar.calendarId,
            }))}
            value={calendarId}
            clearable
            onChange={(chosen) => {
              setCalendarId(chosen);
              show.reset();
            }}
          />
        )}
        <Group gap="xs">
          <Button
            variant="default"
            disabled={listing === ''}
            loading={show.isPending}
            onClick={() => show.mutate(false)}
          >
            Show the address
          </Button>
          <Button
            variant="default"
            disabled={listing === '' || show.isPending}
            onClick={() => askFirst(newAddress, () => show.mutate(true))}
          >
            Make a new address
          </Button>
        </Group>
        {show.error && <Failure error={show.error} />}
        {show.data && (
          <Alert variant="light" title="This address is a secret">
            <Group gap={4} wrap="nowrap">
              <Code className="break">{show.data.url}</Code>
              <Copy value={show.data.url} what="address" />
            </Group>
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

/** Calendars of other channels with their conflicts, and blocks. */
export function Channels() {
  const canAct = useMay('inventory');
  const calendars = useQuery(calendarsQuery(undefined));
  const conflicts = useQuery(conflictsQuery(undefined));
  const added = calendars.data?.items ?? [];
  const origins = new Map(added.map((calendar) => [calendar.calendarId, sourceOf(calendar)]));
  return (
    <Stack gap="md">
      <PageTitle title="Channels" about="Calendars of other channels, and blocked nights." />
      <Stack gap="md">
        <Section title="Conflicts" about="Nights of other channels that could not be blocked.">
          <Loaded query={conflicts}>
            {({ items }) =>
              items.length === 0 ? (
                <Text size="sm">There are none.</Text>
              ) : (
                <Records
                  caption="Conflicts"
                  columns={conflictColumns(origins)}
                  items={items}
                  keyOf={({ calendarId, from }) => `${calendarId} ${from}`}
                />
              )
            }
          </Loaded>
        </Section>
        <Section title="Calendars">
          <Loaded query={calendars}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title="No calendars yet">Add the calendar of another channel below.</Empty>
              ) : (
                <Records
                  caption="Calendars"
                  columns={canAct ? [...calendarColumns, calendarActions] : calendarColumns}
                  items={items}
                  keyOf={({ calendarId }) => calendarId}
                />
              )
            }
          </Loaded>
        </Section>
        {canAct && (
          <>
            <AddCalendar />
            <OwnAddress calendars={added} />
          </>
        )}
        <Blocks />
      </Stack>
    </Stack>
  );
}
