import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { seededCapabilities } from '#contract/scopes.ts';
import { Empty } from '../../../base/components/empty.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { TextLink } from '../../../base/components/links.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import { inOrder } from '../../../base/components/paging.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { partnerPageQuery, partners } from '../../api/partners.ts';
import type { Application, ListedApplication } from '../../api/types.ts';
import { CatalogName } from '../../components/catalog-name.tsx';
import { useMay, useSession } from '../../frame/session.ts';
import { ShownOnce } from '../../../base/components/shown-once.tsx';
import { useStepUp } from '../../frame/step-up.tsx';
import {
  fieldsOfMembers,
  SellingFields,
  sellingInput,
  sellingRules,
  type Selling,
} from './selling-fields.tsx';
import { stateLabels } from './states.ts';

interface Values extends Selling {
  settlement: Application['settlement'];
}

function Register() {
  const confirmed = useStepUp();
  const { environment } = useSession();
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: {
      name: '',
      settlement: 'partner',
      grants: [...seededCapabilities],
      catalog: '',
      adjustPercent: 0,
      perDay: '',
      commission: '',
      portalKeys: environment === 'simulation',
      cancelsAtOnce: false,
    },
    validate: sellingRules,
  });
  const registering = useMutation({
    mutationFn: (values: Values) =>
      confirmed(() => partners.create({ ...sellingInput(values), settlement: values.settlement })),
    meta: { shown: true },
    onSuccess: () => form.reset(),
  });
  const failure = useFieldErrors(form, registering.error, fieldsOfMembers);
  return (
    <Section title="Register" about="An application of a partner. It gets its first key.">
      <Stack gap="sm">
        {registering.data && (
          <ShownOnce
            what="key"
            value={registering.data.applicationKey}
            about={`For ${registering.data.name}, application ${registering.data.applicationId}. It belongs on a server. Or let the partner make its own: its page has everything to hand over.`}
            onDone={registering.reset}
          />
        )}
        {failure && <Failure error={failure} />}
        <form onSubmit={form.onSubmit((values) => registering.mutate(values))} noValidate>
          <Stack gap="sm">
            <SellingFields form={form} />
            <Group gap="sm" align="flex-end">
              <NativeSelect
                label="Who pays"
                data={[
                  { value: 'partner', label: 'The partner' },
                  { value: 'card', label: 'The guest, by card' },
                ]}
                {...form.getInputProps('settlement')}
              />
              <Button type="submit" loading={registering.isPending}>
                Register
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Section>
  );
}

const FailingEndpoints = ({ applicationId, failingEndpoints }: ListedApplication) =>
  failingEndpoints === 0 ? (
    '–'
  ) : (
    <TextLink to="/partners/$applicationId/webhooks" params={{ applicationId }} size="sm" c="red">
      {failingEndpoints} failing
    </TextLink>
  );

const columns: readonly Column<ListedApplication>[] = [
  {
    name: 'Name',
    cell: ({ applicationId, name }) => (
      <TextLink to="/partners/$applicationId" params={{ applicationId }} size="sm">
        {name}
      </TextLink>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateBadge words={stateLabels[state]} /> },
  {
    name: 'Who pays',
    cell: ({ settlement }) => (settlement === 'card' ? 'The guest, by card' : 'The partner'),
  },
  { name: 'Catalog', cell: ({ catalog }) => <CatalogName slug={catalog} /> },
  {
    name: 'Last call',
    cell: ({ lastCallAt }) => (lastCallAt === null ? 'none' : <Moment at={lastCallAt} />),
  },
  { name: 'Webhooks', cell: FailingEndpoints },
  { name: 'Registered', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** The applications of partners. */
export function Partners() {
  const canAct = useMay('partners');
  const [cursor, setCursor] = useState<string>();
  const query = useQuery(partnerPageQuery(cursor));
  return (
    <Stack gap="md">
      <PageTitle
        title="Partners"
        about={
          <TextLink to="/funnel" size="sm" underline="always">
            From search to reservation, by partner and home
          </TextLink>
        }
      />
      <PagedTable
        {...inOrder}
        query={query}
        cursor={cursor}
        onGo={setCursor}
        renderNone={() => <Empty title="No partners yet">Register the first application.</Empty>}
        caption="Applications"
        columns={columns}
        keyOf={({ applicationId }) => applicationId}
      />
      {canAct && <Register />}
    </Stack>
  );
}
