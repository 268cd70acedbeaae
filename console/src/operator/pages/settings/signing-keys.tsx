import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { signingKeysQuery, staff } from '../../api/staff.ts';
import type { SigningKey } from '../../api/types.ts';
import { useMay } from '../../frame/session.ts';
import { useStepUp } from '../../frame/step-up.tsx';

const stateColors = { signing: 'teal', verifying: 'gray' } as const;

const columns: readonly Column<SigningKey>[] = [
  { name: 'Key', cell: ({ keyId }) => <span className="mono">{keyId}</span> },
  {
    name: 'State',
    cell: ({ state }) => <StateBadge words={{ name: state, color: stateColors[state] }} />,
  },
  { name: 'Made', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    name: 'Replaced',
    cell: ({ retiredAt }) => (retiredAt === null ? '–' : <Moment at={retiredAt} />),
  },
];

function Replace() {
  const confirmed = useStepUp();
  const replacing = useMutation({
    mutationFn: () => confirmed(staff.rotateSigningKey),
    onSuccess: () => notifyDone('The signing key is replaced.'),
  });
  const question = {
    title: 'Replace the signing key?',
    text: 'Running services sign with the new key within 30 seconds. Access tokens that were issued stay valid until they expire.',
    verb: 'Replace',
  };
  return (
    <Button
      variant="default"
      size="xs"
      loading={replacing.isPending}
      onClick={() => askFirst(question, replacing.mutate)}
    >
      Replace the signing key
    </Button>
  );
}

/** The keys that sign access tokens, and their replacement. */
export function SigningKeys() {
  const query = useQuery(signingKeysQuery);
  const canReplace = useMay('partners');
  return (
    <Section
      title="Signing keys"
      about="They sign the access tokens of partners. Those whose tokens can still be valid are shown."
      actions={canReplace && <Replace />}
    >
      <Loaded query={query}>
        {({ items }) => (
          <ItemTable
            caption="Signing keys"
            columns={columns}
            items={items}
            keyOf={({ keyId }) => keyId}
          />
        )}
      </Loaded>
    </Section>
  );
}
