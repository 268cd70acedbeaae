import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorLimits } from '#contract/operator/limits.ts';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { LoadedTable } from '../../../base/components/loaded-table.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { account, passkeysQuery } from '../../api/session.ts';
import type { Passkey } from '../../api/types.ts';
import { hasPasskeys, makePasskey } from '../../frame/passkey.ts';
import { useStepUp } from '../../frame/step-up.tsx';

function AddPasskey() {
  const confirmed = useStepUp();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const adding = useMutation({
    mutationFn: async () => {
      const credential = await makePasskey(await confirmed(account.beginPasskey));
      return confirmed(() => account.addPasskey(name.trim(), credential));
    },
    meta: { shown: true },
    onSuccess: async () => {
      setName('');
      notifyDone('You will be asked for a passkey when you sign in.');
      await queries.invalidateQueries();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Stack gap="sm" maw="24rem">
        {adding.error && <Failure error={adding.error} />}
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Name of the passkey"
            placeholder="laptop"
            maxLength={operatorLimits.passkeyNameLength}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
          />
          <Button type="submit" variant="default" loading={adding.isPending}>
            Add a passkey
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Remove({ passkey: { passkeyId, name } }: { passkey: Passkey }) {
  const confirmed = useStepUp();
  const queries = useQueryClient();
  return (
    <ActButton
      aria-label={`Remove ${name}`}
      act={() => confirmed(() => account.removePasskey(passkeyId))}
      done={async () => {
        notifyDone(`${name} is removed.`);
        await queries.invalidateQueries();
      }}
    >
      Remove
    </ActButton>
  );
}

const columns: readonly Column<Passkey>[] = [
  { name: 'Name', cell: ({ name }) => <span className="break">{name}</span> },
  { name: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Last used', cell: ({ usedAt }) => (usedAt === null ? 'never' : <Moment at={usedAt} />) },
  { name: 'Remove', cell: (passkey) => <Remove passkey={passkey} /> },
];

/** The passkeys of the member. */
export function Passkeys() {
  const query = useQuery(passkeysQuery);
  return (
    <Section
      title="Passkeys"
      about="With a passkey (a fingerprint, a security key, another device) a stolen password is not enough, and no other page can use it."
    >
      <Stack gap="md">
        <LoadedTable
          query={query}
          caption="Passkeys"
          columns={columns}
          keyOf={({ passkeyId }) => passkeyId}
          none={null}
        />
        {hasPasskeys() ? (
          <AddPasskey />
        ) : (
          <Text size="sm" c="dimmed">
            This browser has no passkeys here: they need https.
          </Text>
        )}
      </Stack>
    </Section>
  );
}
