import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { portal } from '../../api/portal.ts';
import { keysQuery } from '../../api/queries.ts';
import type { Key, KeyList } from '../../api/types.ts';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { ShownOnce } from '../../../base/components/shown-once.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';

const states = {
  active: { name: 'Active', color: 'teal' },
  expired: { name: 'Expired', color: 'gray' },
  revoked: { name: 'Revoked', color: 'red' },
} as const;

const columns: readonly Column<Key>[] = [
  { name: 'Key', cell: ({ keyId }) => <span className="mono whole">{keyId}</span> },
  { name: 'State', cell: ({ state }) => <StateBadge words={states[state]} /> },
  {
    name: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />),
  },
  { name: 'Issued', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

const ofUsual = {
  title: 'Revoke the key?',
  text: 'It gets no more tokens. Existing tokens stay valid for up to 15 minutes.',
  verb: 'Revoke',
  color: 'red',
} as const;

const ofLast = {
  title: 'Revoke the last key?',
  text: 'It is your last usable key: your program will get no more tokens. Issue another key first, unless that is what you want.',
  verb: 'Revoke the last key',
  color: 'red',
} as const;

const actionOf = (usable: number): Column<Key> => ({
  name: 'Action',
  cell: ({ keyId, state }) =>
    state === 'active' && (
      <ActButton
        aria-label={`Revoke ${keyId}`}
        act={() => portal.revokeKey(keyId, usable === 1)}
        question={usable === 1 ? ofLast : ofUsual}
        done="The key is revoked."
      >
        Revoke
      </ActButton>
    ),
});

function KeysView({ items, mayChange }: KeyList) {
  const issuing = useMutation({ mutationFn: portal.issueKey });
  const usable = items.filter(({ state }) => state === 'active').length;
  return (
    <Stack gap="sm">
      {issuing.data && (
        <ShownOnce
          what="key"
          value={issuing.data.applicationKey}
          about="Store it on a server, never in an app or a page. Existing keys keep working."
          onDone={issuing.reset}
        />
      )}
      <ItemTable
        caption="Keys"
        items={items}
        keyOf={({ keyId }) => keyId}
        columns={mayChange ? [...columns, actionOf(usable)] : columns}
      />
      {mayChange ? (
        <Group>
          <Button variant="default" loading={issuing.isPending} onClick={() => issuing.mutate()}>
            Issue a key
          </Button>
        </Group>
      ) : (
        <Text size="sm">The operator issues and revokes the keys of your application.</Text>
      )}
    </Stack>
  );
}

/** The keys of the application; issued and revoked here if the operator allows it. */
export function Keys() {
  const query = useQuery(keysQuery);
  return (
    <Section
      title="Keys"
      about="With a key, your server gets access tokens. To change one: issue a second, switch to it, then revoke the first."
    >
      <Loaded query={query}>{(keys) => <KeysView {...keys} />}</Loaded>
    </Section>
  );
}
