import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../../base/components/empty.tsx';
import { LoadedTable } from '../../../base/components/loaded-table.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { capitalized } from '../../../base/words/product-words.ts';
import { staffQuery } from '../../api/staff.ts';
import type { StaffMember } from '../../api/types.ts';
import { useMay, useSession } from '../../frame/session.ts';
import { Invite } from './invite.tsx';
import { MemberActions, RoleOf } from './member-actions.tsx';
import { Tokens } from './tokens.tsx';

/** An address that breaks after its @ first. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@') + 1;
  return (
    <span className="break">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  );
}

const stateColors = { active: 'teal', invited: 'blue', disabled: 'gray' } as const;

const columnsFor = (ownId: string): readonly Column<StaffMember>[] => [
  { name: 'Email', cell: ({ email }) => <Email address={email} /> },
  {
    name: 'Role',
    cell: (member) => <RoleOf member={member} isOwn={member.staffId === ownId} />,
  },
  {
    name: 'State',
    cell: ({ state }) => (
      <StateBadge words={{ name: capitalized(state), color: stateColors[state] }} />
    ),
  },
  { name: 'Second factor', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'yes' : 'no') },
  {
    name: 'Last sign-in',
    cell: ({ signedInAt }) => (signedInAt === null ? 'never' : <Moment at={signedInAt} />),
  },
  {
    name: 'Action',
    cell: (member) => (member.staffId === ownId ? 'you' : <MemberActions member={member} />),
  },
];

/** Who may look at this page. */
const OnlyAdministrators = () => (
  <Stack gap="md">
    <PageTitle title="Staff" />
    <Empty title="Only administrators see the people">
      Ask one to invite somebody, or to change what you may do.
    </Empty>
  </Stack>
);

/** Members of staff and tokens, for administrators. */
export const Staff = () => (useMay('staff') ? <People /> : <OnlyAdministrators />);

function People() {
  const { staffId } = useSession();
  const query = useQuery(staffQuery);
  return (
    <Stack gap="md">
      <PageTitle title="Staff" />
      <Invite />
      <Section title="Members">
        <LoadedTable
          query={query}
          caption="Members of staff"
          columns={columnsFor(staffId)}
          keyOf={(member) => member.staffId}
        />
      </Section>
      <Tokens />
    </Stack>
  );
}
