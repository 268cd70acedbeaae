import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { Facts } from '../../../base/components/facts.tsx';
import { LoadedTable } from '../../../base/components/loaded-table.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { EndSession, SessionBrowser } from '../../../base/components/session-cells.tsx';
import { Section } from '../../../base/components/section.tsx';
import { account, ownSessionsQuery } from '../../api/session.ts';
import type { SessionList } from '../../api/types.ts';
import { useSession } from '../../frame/session.ts';
import { roleName } from '../../words/roles.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { passwordRules } from './new-password.ts';
import { Passkeys } from './passkeys.tsx';
import { PasswordFields } from './password-fields.tsx';
import { SecondFactor } from './second-factor.tsx';

function ChangePassword() {
  const confirmed = useStepUp();
  const form = useForm({
    mode: 'controlled',
    initialValues: { password: '', repeated: '' },
    validate: passwordRules,
  });
  const changing = useMutation({
    mutationFn: (password: string) => confirmed(() => account.changePassword(password)),
    meta: { shown: true },
    onSuccess: () => {
      form.reset();
      notifyDone('Your password has changed. Your other sessions have ended.');
    },
  });
  const failure = useFieldErrors(form, changing.error);
  return (
    <Section title="Password" about="A new password ends your other sessions.">
      <form onSubmit={form.onSubmit(({ password }) => changing.mutate(password))} noValidate>
        <Stack gap="sm" maw="24rem">
          {failure && <Failure error={failure} />}
          <PasswordFields propsOf={(name) => form.getInputProps(name)} />
          <Group>
            <Button type="submit" variant="default" loading={changing.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

type ListedSession = SessionList['items'][number];

const columns: readonly Column<ListedSession>[] = [
  {
    name: 'Browser',
    cell: ({ userAgent, isCurrent }) => <SessionBrowser userAgent={userAgent} isThis={isCurrent} />,
  },
  { name: 'Address', cell: ({ address }) => <span className="mono">{address}</span> },
  { name: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Last used', cell: ({ seenAt }) => <Moment at={seenAt} /> },
  {
    name: 'End',
    cell: ({ sessionId, isCurrent }) =>
      !isCurrent && <EndSession end={() => account.endSession(sessionId)} />,
  },
];

function Sessions() {
  const query = useQuery(ownSessionsQuery);
  return (
    <Section title="Sessions" about="Where you are signed in now.">
      <LoadedTable
        query={query}
        caption="Sessions"
        columns={columns}
        keyOf={({ sessionId }) => sessionId}
      />
    </Section>
  );
}

/** The account of the member of staff. */
export function Account() {
  const session = useSession();
  return (
    <Stack gap="md">
      <PageTitle title="Account" />
      <Facts
        facts={{
          Email: session.email,
          Role: roleName(session.role),
          'Session ends': <Moment at={session.expiresAt} />,
        }}
      />
      {session.hasPassword ? (
        <ChangePassword />
      ) : (
        <Text size="sm" c="dimmed">
          You sign in with a provider, so there is no password here.
        </Text>
      )}
      <SecondFactor isOn={session.hasCode} />
      <Passkeys />
      <Sessions />
    </Stack>
  );
}
