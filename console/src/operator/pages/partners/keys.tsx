import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { Word } from '../../../base/components/word.tsx';
import { keysQuery, partners } from '../../api/partners.ts';
import type { PartnerKey } from '../../api/types.ts';
import { ShownOnce } from '../../../base/components/shown-once.tsx';
import { useStepUp } from '../../frame/step-up.tsx';

function Revoke({ keyId }: { keyId: string }) {
  const revoking = useMutation({
    mutationFn: () => partners.revokeKey(keyId),
    onSuccess: () => notifyDone('The key is revoked.'),
  });
  const question = {
    title: 'Revoke the key',
    text: 'It gets no more tokens. This cannot be undone.',
    verb: 'Revoke',
    color: 'red',
  } as const;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Revoke ${keyId}`}
      loading={revoking.isPending}
      onClick={() => askFirst(question, revoking.mutate)}
    >
      Revoke
    </Button>
  );
}

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
  cell: ({ keyId, state }) => state === 'active' && <Revoke keyId={keyId} />,
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
        <Loaded query={query}>
          {({ items }) => (
            <ItemTable
              caption="Keys"
              columns={canChange ? [...columns, action] : columns}
              items={items}
              keyOf={({ keyId }) => keyId}
            />
          )}
        </Loaded>
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
