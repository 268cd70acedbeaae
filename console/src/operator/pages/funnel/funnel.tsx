import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { type Funnel as Shown, type FunnelFilter, funnelQuery } from '../../api/funnel.ts';
import { ApplicationChoice } from '../../components/application-choice.tsx';
import { HomeChoice } from '../../components/home-choice.tsx';
import { dayText } from '../../words/days.ts';
import { Word } from '../../../base/components/word.tsx';
import { StepBars, WeekLines } from './charts.tsx';
import { type Counts, refusedSteps, shareText, type Step, steps, sumOf } from './steps.ts';

const weekChoices = ['4', '12', '26', '52'].map((value) => ({ value, label: `${value} weeks` }));
const usualWeeks = '12';

function Filters({
  filter,
  onChange,
}: {
  filter: FunnelFilter;
  onChange: (change: FunnelFilter) => void;
}) {
  return (
    <Group gap="sm" align="flex-end" component="search" aria-label="Filter the funnel">
      <ApplicationChoice
        value={filter.applicationId}
        onChoose={(applicationId) => onChange({ applicationId })}
      />
      <HomeChoice
        label="Home"
        size="xs"
        className="choice"
        clearable
        value={filter.listing}
        onChoose={(listing) => onChange({ listing })}
      />
      <NativeSelect
        label="Time"
        size="xs"
        className="choice"
        value={filter.weeks ?? usualWeeks}
        data={weekChoices}
        onChange={({ currentTarget }) => onChange({ weeks: currentTarget.value })}
      />
    </Group>
  );
}

const countColumn = <Item extends Counts>(step: Step): Column<Item> => ({
  name: steps.find((one) => one.step === step)!.name,
  isFigure: true,
  cell: (item) => (item[step] ?? 0).toLocaleString('en'),
});

const conversion = <Item extends Counts>(): Column<Item> => ({
  name: 'Confirmed of quotes',
  isFigure: true,
  cell: (item) => shareText(item, 'confirmed', 'quotes') ?? '–',
});

const allSteps = steps.map(({ step }) => step);
const stepsOfHome = allSteps.filter((step) => step !== 'searches');

const weekColumns: readonly Column<Shown['weeks'][number]>[] = [
  { name: 'Week of', cell: ({ week }) => dayText(week) },
  ...allSteps.map((step) => countColumn<Shown['weeks'][number]>(step)),
  conversion(),
];

type Application = Shown['applications'][number];
const applicationColumns: readonly Column<Application>[] = [
  {
    name: 'Partner',
    cell: ({ applicationId, application }) => (
      <TextLink to="/partners/$applicationId" params={{ applicationId }} size="sm">
        {application}
      </TextLink>
    ),
  },
  ...allSteps.map((step) => countColumn<Application>(step)),
  conversion(),
];

type Home = Shown['homes'][number];
const homeColumns: readonly Column<Home>[] = [
  { name: 'Home', cell: ({ name, slug, listingId }) => name ?? slug ?? listingId },
  ...stepsOfHome.map((step) => countColumn<Home>(step)),
  conversion(),
];

type Refusals = Shown['refusals'][number];
const refusalColumns: readonly Column<Refusals>[] = [
  { name: 'Step', cell: ({ step }) => refusedSteps[step] },
  { name: 'Reason', cell: ({ reason }) => <Word of={reason} /> },
  { name: 'Refusals', isFigure: true, cell: ({ refusals }) => refusals.toLocaleString('en') },
];

const hasSome = (counts: Counts): boolean => steps.some(({ step }) => (counts[step] ?? 0) > 0);

const RefusalSection = ({ refusals }: { refusals: readonly Refusals[] }) => (
  <Section
    title="Refusals by reason"
    about="Calls that were refused on the way, in the week of the call; and submitted bookings that failed, in the week of their quote."
  >
    {refusals.length === 0 ? (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    ) : (
      <ItemTable
        caption="Refusals by reason"
        columns={refusalColumns}
        items={refusals}
        keyOf={({ step, reason }) => `${step} ${reason}`}
      />
    )}
  </Section>
);

function Shares({ funnel, filter }: { funnel: Shown; filter: FunnelFilter }) {
  const { weeks, applications, homes, refusals } = funnel;
  const total = Object.fromEntries(steps.map(({ step }) => [step, sumOf(weeks, step)]));
  return (
    <>
      <Section
        title="From search to reservation"
        about="The percentages are shares of the previous step. Searches and views are not linked to quotes, so they have none."
      >
        <StepBars counts={total} />
      </Section>
      <Section
        title="By week"
        about="Weeks begin on Monday, in UTC. A quote and its later steps count in the week in which the quote was made. Quotes are counted when they have expired, after 15 minutes."
      >
        <Stack gap="md">
          <WeekLines weeks={weeks} />
          <ItemTable
            caption="By week"
            columns={weekColumns}
            items={weeks.filter(hasSome).toReversed()}
            keyOf={({ week }) => week}
          />
        </Stack>
      </Section>
      {!filter.applicationId && (
        <Section title="By partner">
          <ItemTable
            caption="By partner"
            columns={applicationColumns}
            items={applications}
            keyOf={({ applicationId }) => applicationId}
          />
        </Section>
      )}
      {homes.length > 0 && (
        <Section title="By home" about="The homes with most quotes of this partner.">
          <ItemTable
            caption="By home"
            columns={homeColumns}
            items={homes}
            keyOf={({ listingId }) => listingId}
          />
        </Section>
      )}
      <RefusalSection refusals={refusals} />
    </>
  );
}

const isEmpty = ({ weeks, refusals }: Shown): boolean =>
  refusals.length === 0 && !weeks.some(hasSome);

/** The steps from a search to a reservation, with counts by week, partner and home. */
export function Funnel() {
  const filter = useSearch({ from: '/inside/funnel' });
  const navigate = useNavigate();
  const query = useQuery(funnelQuery(filter));
  const change = (changed: FunnelFilter) =>
    void navigate({ to: '/funnel', search: { ...filter, ...changed } });
  return (
    <Stack gap="md">
      <PageTitle
        title="Funnel"
        about="The steps from search to reservation, with counts. Choose a partner to see its homes."
      />
      <Filters filter={filter} onChange={change} />
      <Loaded query={query}>
        {(funnel) =>
          isEmpty(funnel) ? (
            <Empty title="Nothing counted yet">
              Searches and views appear after a minute or two, quotes when they have expired.
            </Empty>
          ) : (
            <Shares funnel={funnel} filter={filter} />
          )
        }
      </Loaded>
    </Stack>
  );
}
