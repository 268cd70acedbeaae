import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ActButton } from '../../../base/components/act-button.tsx';
import { LoadedTable } from '../../../base/components/loaded-table.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { Word } from '../../../base/components/word.tsx';
import { keysQuery, partners } from '../../api/partners.ts';
import type { PartnerKey } from '../../api/types.ts';
import { ShownOnce } from '../../../base/components/shown-once.tsx';
import { useStepUp } from '../../frame/step-up.tsx';

const revocation = {
  title: 'Revoke the key',
  text: 'It gets no more tokens. This cannot be undone.',
  verb: 'Revoke',
  color: 'red',
} as const;

const columns: readonly Column<PartnerKey>[] = [
  { name: 'Key', cell: ({ keyId }) => <span className="mono">{keyId}</span> },
  { name: 'State', cell: ({ state }) => <Word of={state} /> },
  {
    name: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />),
  },
  { name: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

const action: Column<PartnerKey> = {
  name: 'Action',
  cell: ({ keyId, state }) =>
    state === 'active' && (
      <ActButton
        aria-label={`Revoke ${keyId}`}
        act={() => partners.revokeKey(keyId)}
        question={revocation}
        done="The key is revoked."
      >
        Revoke
      </ActButton>
    ),
};

/** The keys of an application. */
export function Keys({ applicationId, canChange }: { applicationId: string; canChange: boolean }) {
  const confirmed = useStepUp();
  const query = useQuery(keysQuery(applicationId));
  const issuing = useMutation({
    mutationFn: () => confirmed(() => partners.issueKey(applicationId)),
  });
  return (
    <Section title="Keys" about="With a key, the server of the partner gets access tokens.">
      <Stack gap="sm">
        {issuing.data && (
          <ShownOnce
            what="key"
            value={issuing.data.applicationKey}
            about="It belongs on a server of the partner. Existing keys keep working."
            onDone={issuing.reset}
          />
        )}
        <LoadedTable
          query={query}
          caption="Keys"
          columns={canChange ? [...columns, action] : columns}
          keyOf={({ keyId }) => keyId}
        />
        {canChange && (
          <Group>
            <Button variant="default" loading={issuing.isPending} onClick={() => issuing.mutate()}>
              Issue a key
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
