import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { Section } from '../../../base/components/section.tsx';
import { staff } from '../../api/staff.ts';
import type { Role } from '../../api/types.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { roleChoices, roleText } from '../../words/roles.ts';
import { ShownOnce } from '../../../base/components/shown-once.tsx';

/** Invites a member of staff, or makes a new link for one. */
export function Invite() {
  const confirmed = useStepUp();
  const form = useForm<{ email: string; role: Role }>({
    mode: 'controlled',
    initialValues: { email: '', role: 'reservations' },
    validate: {
      email: (text) => (/^\S+@\S+$/.test(text.trim()) ? null : 'Enter an email address'),
    },
  });
  const inviting = useMutation({
    mutationFn: ({ email, role }: { email: string; role: Role }) =>
      confirmed(() => staff.invite(email.trim(), role)),
    meta: { shown: true },
    onSuccess: () => form.reset(),
  });
  const failure = useFieldErrors(form, inviting.error);
  return (
    <Section
      title="Invite"
      about="The link sets a password, once, within 24 hours. For an account that exists, it replaces a forgotten password."
    >
      <Stack gap="sm">
        {inviting.data && (
          <ShownOnce
            what="link"
            value={inviting.data.url}
            about="Send it over a secure channel: whoever opens it first gets the account."
            onDone={inviting.reset}
          />
        )}
        {failure && <Failure error={failure} />}
        <form onSubmit={form.onSubmit((values) => inviting.mutate(values))} noValidate>
          <Group gap="sm" align="flex-start">
            <TextInput label="Email" type="email" required {...form.getInputProps('email')} />
            <NativeSelect
              label="Role"
              description={`May ${roleText(form.getValues().role)}.`}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={roleChoices}
              {...form.getInputProps('role')}
            />
            <Button type="submit" mt={24} loading={inviting.isPending}>
              Invite
            </Button>
          </Group>
        </form>
      </Stack>
    </Section>
  );
}
