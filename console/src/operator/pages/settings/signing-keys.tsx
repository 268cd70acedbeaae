import { useQuery } from '@tanstack/react-query';
import { ActButton } from '../../../base/components/act-button.tsx';
import { LoadedTable } from '../../../base/components/loaded-table.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
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
  return (
    <ActButton
      size="xs"
      act={() => confirmed(staff.rotateSigningKey)}
      question={{
        title: 'Replace the signing key?',
        text: 'Running services sign with the new key within 30 seconds. Access tokens that were issued stay valid until they expire.',
        verb: 'Replace',
      }}
      done="The signing key is replaced."
    >
      Replace the signing key
    </ActButton>
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
      <LoadedTable
        query={query}
        caption="Signing keys"
        columns={columns}
        keyOf={({ keyId }) => keyId}
      />
    </Section>
  );
}
