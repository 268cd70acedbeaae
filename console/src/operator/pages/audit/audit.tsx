import { Accordion, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { JsonBlock } from '../../../base/parts/code-block.tsx';
import { Empty } from '../../../base/parts/empty.tsx';
import { Facts } from '../../../base/parts/facts.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { PageTitle } from '../../../base/parts/page-title.tsx';
import { Paged } from '../../../base/parts/paged.tsx';
import { exactInstant } from '../../../base/words/instants.ts';
import { auditQuery } from '../../api/queries.ts';
import { partnersQuery } from '../../api/partners.ts';
import { ApplicationChoice } from '../../parts/application-choice.tsx';
import type { AuditFilter, AuditPage } from '../../api/types.ts';

const fields = [
  { name: 'actor', label: 'Who', placeholder: 'staff ada@example.com' },
  { name: 'reference', label: 'Reservation', placeholder: 'LK-1234-5678' },
] as const;

type Filter = Record<(typeof fields)[number]['name'], string>;

/** The filters, applied with the Enter key or the button. */
function Filters({
  filter,
  onApply,
}: {
  filter: AuditFilter;
  onApply: (filter: Filter, applicationId: string | undefined) => void;
}) {
  const { actor = '', reference = '', applicationId } = filter;
  const form = useForm<Filter>({
    mode: 'controlled',
    initialValues: { actor, reference },
  });
  return (
    <form onSubmit={form.onSubmit((values) => onApply(values, applicationId))}>
      <Group gap="xs" align="flex-end">
        {fields.map(({ name, label, placeholder }) => (
          <TextInput
            key={name}
            size="xs"
            label={label}
            placeholder={placeholder}
            {...form.getInputProps(name)}
          />
        ))}
        <ApplicationChoice
          value={applicationId}
          onChoose={(chosen) => onApply(form.getValues(), chosen)}
        />
        <Button type="submit" size="xs" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}

type Entry = AuditPage['items'][number];

/** What names the thing that was changed, in the details of the actions. */
const subjects = ['listing', 'email', 'name', 'code', 'catalog', 'url', 'keyId', 'bookingId'];

/** What an entry is about: its reservation, or what the details name. */
function subjectOf({ reference, details }: Entry): string | undefined {
  const named = subjects.map((subject) => details[subject]);
  return reference ?? named.find((value) => typeof value === 'string');
}

/** The partner of an entry, and what it is about. */
function About({ entry }: { entry: Entry }) {
  const partners = useQuery(partnersQuery).data?.items;
  const partner = partners?.find(({ applicationId }) => applicationId === entry.applicationId);
  const words = [...new Set([partner?.name, subjectOf(entry)].filter(Boolean))];
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

const Entries = ({ items }: { items: readonly Entry[] }) => (
  <Accordion variant="separated" order={2}>
    {items.map((entry) => (
      <Accordion.Item key={entry.entryId} value={String(entry.entryId)}>
        <Accordion.Control>
          <Group gap="xs">
            <Text size="sm" fw={600} className="break">
              {entry.action}
            </Text>
            <About entry={entry} />
            <Text size="sm" c="dimmed" className="break">
              {entry.actor}
            </Text>
            <Text size="sm" c="dimmed" className="break">
              {exactInstant(entry.happenedAt)}
            </Text>
          </Group>
        </Accordion.Control>
        <Accordion.Panel>
          <Details entry={entry} />
        </Accordion.Panel>
      </Accordion.Item>
    ))}
  </Accordion>
);

/** What staff and partners did, newest first. */
export function Audit() {
  const filter = useSearch({ from: '/inside/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const query = useQuery(auditQuery(filter));
  const apply = ({ actor, reference }: Filter, applicationId: string | undefined): void =>
    void navigate({
      search: {
        actor: actor.trim() || undefined,
        reference: reference.trim() || undefined,
        applicationId,
      },
    });
  return (
    <Stack gap="md">
      <PageTitle
        title="Audit"
        about="What staff and partners did, newest first. Nobody can change it."
      />
      <Filters key={JSON.stringify(filter)} filter={filter} onApply={apply} />
      <Paged
        query={query}
        cursor={filter.cursor}
        onGo={(cursor) => void navigate({ search: { ...filter, cursor } })}
        renderNone={() => (
          <Empty title="Nothing here">Changes by staff and partners appear here.</Empty>
        )}
      >
        {(items) => <Entries items={items} />}
      </Paged>
    </Stack>
  );
}
