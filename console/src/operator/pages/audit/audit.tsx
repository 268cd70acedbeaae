import { Accordion, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { auditActions } from '#contract/operator/audit-actions.ts';
import { Choice } from '../../../base/components/choice.tsx';
import { JsonBlock } from '../../../base/components/code-block.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { Facts } from '../../../base/components/facts.tsx';
import { ListArea, SkipToList } from '../../../base/components/list-area.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Paged } from '../../../base/components/paged.tsx';
import { TypedField } from '../../../base/components/typed-field.tsx';
import { instantText } from '../../../base/words/dates.ts';
import { auditQuery } from '../../api/queries.ts';
import { partnersQuery } from '../../api/partners.ts';
import { aboutEntry, actionName } from '../../words/audit.ts';
import { HomeChoice } from '../../components/home-choice.tsx';
import { ApplicationChoice } from '../../components/application-choice.tsx';
import { DayField } from '../../components/day-field.tsx';
import type { AuditFilter, AuditPage } from '../../api/types.ts';

const actionChoices = auditActions
  .map((value) => ({ value, label: actionName(value) }))
  .toSorted((a, b) => a.label.localeCompare(b.label));

/** The filters: what is typed is applied with the Enter key, what is chosen at once. */
function Filters({
  filter,
  onChange,
}: {
  filter: AuditFilter;
  onChange: (change: AuditFilter) => void;
}) {
  const { actor, reference, applicationId, listing, action, from, until } = filter;
  return (
    <Group gap="xs" align="flex-end" component="search" aria-label="Filter the audit trail">
      <TypedField
        key={`actor ${actor}`}
        label="Who"
        placeholder="staff ada@example.com"
        value={actor}
        onEnter={(typed) => onChange({ actor: typed })}
      />
      <Choice
        label="Action"
        value={action}
        choices={actionChoices}
        onChoose={(chosen) => onChange({ action: chosen as AuditFilter['action'] })}
      />
      <DayField label="From" value={from} onChoose={(day) => onChange({ from: day })} />
      <DayField label="Until" value={until} onChoose={(day) => onChange({ until: day })} />
      <HomeChoice
        label="Home"
        size="xs"
        className="choice"
        clearable
        value={listing}
        onChoose={(chosen) => onChange({ listing: chosen })}
      />
      <TypedField
        key={`reference ${reference}`}
        label="Reservation"
        placeholder="LK-1234-5678"
        value={reference}
        onEnter={(typed) => onChange({ reference: typed })}
      />
      <ApplicationChoice
        value={applicationId}
        onChoose={(chosen) => onChange({ applicationId: chosen })}
      />
    </Group>
  );
}

type Entry = AuditPage['items'][number];

/** The partner of an entry, and what it is about. */
function About({ entry }: { entry: Entry }) {
  const partners = useQuery(partnersQuery).data?.items;
  const partner = partners?.find(({ applicationId }) => applicationId === entry.applicationId);
  const about = aboutEntry(entry.action, entry.details);
  const words = [...new Set([partner?.name, entry.reference, ...about].filter(Boolean))];
  if (words.length === 0) return undefined;
  return (
    <Text size="sm" className="break">
      {words.join(' · ')}
    </Text>
  );
}

const Details = ({ entry }: { entry: Entry }) => (
  <Stack gap="xs">
    <Facts
      facts={{
        When: <Moment at={entry.happenedAt} />,
        From: entry.source ?? 'not recorded',
        Reservation: entry.reference,
        Application: entry.applicationId,
      }}
    />
    <JsonBlock value={entry.details} />
  </Stack>
);

function Entries({ items }: { items: readonly Entry[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Accordion className="audit" variant="separated" order={2} value={opened} onChange={setOpened}>
      {items.map((entry) => (
        <Accordion.Item key={entry.entryId} value={String(entry.entryId)}>
          <Accordion.Control>
            <Group gap="xs">
              <Text size="sm" fw={600} className="break">
                <span title={entry.action}>{actionName(entry.action)}</span>
              </Text>
              <About entry={entry} />
              <Text size="sm" c="dimmed" className="break">
                {entry.actor}
              </Text>
              <Text size="sm" c="dimmed" className="break">
                {instantText(entry.happenedAt)}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {opened === String(entry.entryId) && <Details entry={entry} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** Actions of staff and partners, newest first. */
export function Audit() {
  const filter = useSearch({ from: '/inside/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const query = useQuery(auditQuery(filter));
  const { cursor: _, ...wanted } = filter;
  const isFiltered = Object.values(wanted).some(Boolean);
  return (
    <Stack gap="md">
      <SkipToList />
      <PageTitle
        title="Audit"
        about="Actions of staff and partners, newest first. Nobody can change it."
      />
      <Filters
        filter={filter}
        onChange={(change) =>
          void navigate({ search: { ...filter, cursor: undefined, ...change } })
        }
      />
      <ListArea>
        <Paged
          query={query}
          cursor={filter.cursor}
          onGo={(cursor) => void navigate({ search: { ...filter, cursor } })}
          renderNone={() => (
            <Empty title={isFiltered ? 'No entries match' : 'No entries yet'}>
              {filter.listing
                ? 'Of a home, these are its prices, texts, blocks and calendars. What happened to a stay is on the page of the reservation.'
                : 'What staff and partners change appears here.'}
            </Empty>
          )}
        >
          {(items) => <Entries items={items} />}
        </Paged>
      </ListArea>
    </Stack>
  );
}
