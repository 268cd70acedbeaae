import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../../base/components/facts.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { settingsQuery } from '../../api/staff.ts';
import type { Settings as Shown } from '../../api/types.ts';
import { SigningKeys } from './signing-keys.tsx';

type Process = Shown['processes'][number];

const columns: readonly Column<Process>[] = [
  { name: 'Machine', cell: ({ host, port }) => <span className="mono">{`${host}:${port}`}</span> },
  { name: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { name: 'Started', cell: ({ startedAt }) => <Moment at={startedAt} /> },
  { name: 'Last alive', cell: ({ seenAt }) => <Moment at={seenAt} /> },
];

/** How the service is set up. Settings are environment variables; only the signing key is replaced here. */
export function Settings() {
  const query = useQuery(settingsQuery);
  return (
    <Stack gap="md">
      <PageTitle
        title="Settings"
        about="Settings are environment variables of the service. Secrets are not shown."
      />
      <Loaded query={query}>
        {(settings) => (
          <>
            <Section title="Service">
              <Facts
                facts={{
                  Environment: settings.environment,
                  'Base URL': settings.baseUrl,
                  Contract: settings.wireVersion,
                  'Card payments': settings.cardProvider ?? 'not configured',
                  'Own records': settings.recordsHost ?? 'not configured',
                  Quotas: settings.sharedQuotas ? 'shared in Redis' : 'in each process',
                  'Calendars read every': `${settings.calendarMinutes} minutes`,
                }}
              />
            </Section>
            <Section title="Versions">
              <Facts
                facts={{
                  Node: settings.node,
                  PostgreSQL: settings.postgres,
                  'Last migration': settings.migration,
                }}
              />
            </Section>
            <Section title="Processes">
              <ItemTable
                caption="Processes"
                columns={columns}
                items={settings.processes}
                keyOf={({ host, port, startedAt }) => `${host} ${port} ${startedAt}`}
              />
            </Section>
          </>
        )}
      </Loaded>
      <SigningKeys />
    </Stack>
  );
}
