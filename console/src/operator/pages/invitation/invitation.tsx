import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { basePath } from '../../../base-path.ts';
import { Facts } from '../../../base/components/facts.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Notice } from '../../../base/components/notice.tsx';
import { account, invitationQuery } from '../../api/session.ts';
import { SignInForm } from '../../frame/sign-in-form.tsx';
import { passwordRules } from '../account/new-password.ts';
import { PasswordFields } from '../account/password-fields.tsx';
import { roleName } from '../../words/roles.ts';
import { takeInvitation } from './take-invitation.ts';

const openConsole = (): void => window.location.assign(`${basePath}/operator`);

function SetPassword({ invitation }: { invitation: string }) {
  const form = useForm({
    mode: 'controlled',
    initialValues: { password: '', repeated: '' },
    validate: passwordRules,
  });
  const invited = useQuery(invitationQuery(invitation));
  const accepting = useMutation({
    mutationFn: (password: string) => account.acceptInvitation(invitation, password),
    meta: { shown: true },
  });
  const failure = useFieldErrors(form, accepting.error);
  if (accepting.data) {
    return (
      <Notice title="Your password is set">
        <SignInForm email={accepting.data.email} onSignedIn={openConsole} />
      </Notice>
    );
  }
  return (
    <Notice title="Set your password">
      <Loaded query={invited}>
        {({ email, role }) => (
          <form onSubmit={form.onSubmit(({ password }) => accepting.mutate(password))} noValidate>
            <Stack gap="sm">
              <Facts facts={{ Account: email, Role: roleName(role) }} />
              {failure && <Failure error={failure} />}
              <PasswordFields propsOf={(name) => form.getInputProps(name)} />
              <Button type="submit" loading={accepting.isPending}>
                Set password
              </Button>
            </Stack>
          </form>
        )}
      </Loaded>
    </Notice>
  );
}

/** The target of invitations: sets the password of an account. */
export function Invitation() {
  const [invitation] = useState(() => takeInvitation(window));
  if (invitation !== undefined) return <SetPassword invitation={invitation} />;
  return (
    <Notice title="You need a link">
      <Text size="sm">
        Ask an administrator for an invitation. Each link works once, for 24 hours, and only as a
        whole.
      </Text>
    </Notice>
  );
}
