import { Group, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ActButton } from '../../../base/components/act-button.tsx';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { staff } from '../../api/staff.ts';
import type { Role, StaffMember } from '../../api/types.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { changeOfRole, roleChoices, roleName } from '../../words/roles.ts';

/** What the other role means for the member. */
function roleChangeText({ email, role: before }: StaffMember, role: Role): string {
  const { gains, loses } = changeOfRole(before, role);
  return [
    `${email} becomes ${roleName(role)} instead of ${roleName(before)}.`,
    gains && `From then on, they may ${gains}.`,
    loses && `They may no longer ${loses}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Changes the role, after a question. */
export function RoleOf({ member, isOwn }: { member: StaffMember; isOwn: boolean }) {
  const confirmed = useStepUp();
  const changing = useMutation({
    mutationFn: (role: Role) =>
      confirmed(() => staff.setRole(member.staffId, role, member.version)),
    onSuccess: ({ email, role }) => notifyDone(`${email} is now ${roleName(role)}.`),
  });
  if (isOwn) return <span className="whole">{roleName(member.role)}</span>;
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${member.email}`}
      data={roleChoices}
      value={member.role}
      disabled={changing.isPending}
      onChange={({ currentTarget }) => {
        const role = currentTarget.value as Role;
        const question = {
          title: 'Change the role?',
          text: roleChangeText(member, role),
          verb: 'Change the role',
        };
        askFirst(question, () => changing.mutate(role));
      }}
    />
  );
}

/** What can be done with an account, in each state. */
export function MemberActions({ member }: { member: StaffMember }) {
  const { staffId, email, state, hasSecondFactor } = member;
  const confirmed = useStepUp();
  const button = (label: string, work: () => Promise<StaffMember>, text?: string) => (
    <ActButton
      aria-label={`${label} ${email}`}
      act={() => confirmed(work)}
      {...(text !== undefined && { question: { title: label, text, verb: label } })}
      done="Done."
    >
      {label}
    </ActButton>
  );
  if (state === 'disabled') return button('Enable', () => staff.enable(staffId));
  return (
    <Group gap={4}>
      {button(
        'Disable',
        () => staff.disable(staffId),
        `${email} is signed out at once and cannot sign in.`,
      )}
      {hasSecondFactor &&
        button(
          'Remove factor',
          () => staff.removeSecondFactor(staffId),
          `The password of ${email} is enough from then on.`,
        )}
    </Group>
  );
}
