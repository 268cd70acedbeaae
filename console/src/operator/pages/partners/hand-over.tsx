import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { CodeBlock } from '../../../base/components/code-block.tsx';
import { Copy } from '../../../base/components/copy.tsx';
import { Facts } from '../../../base/components/facts.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { type InvitedPerson, partners } from '../../api/partners.ts';
import type { ApplicationInFull } from '../../api/types.ts';
import { useSession } from '../../frame/session.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import type { SeenVersion } from './quotas.tsx';

const Copied = ({ value, what }: { value: string; what: string }) => (
  <Group gap={4} wrap="nowrap">
    <span className="mono break">{value}</span>
    <Copy value={value} what={what} />
  </Group>
);

/** Lets the partner make its own keys, where it may not yet. */
function AllowKeys({ application, seen }: { application: ApplicationInFull; seen: SeenVersion }) {
  const confirmed = useStepUp();
  const allowing = useMutation({
    mutationFn: () =>
      confirmed(() =>
        partners.change(application.applicationId, {
          portalKeys: true,
          expectedVersion: seen.version,
        }),
      ),
    onSuccess: ({ version }) => {
      seen.set(version);
      notifyDone('The partner can make its own keys.');
    },
  });
  return (
    <Alert color="yellow" variant="light" title="The partner cannot make its own keys">
      <Button
        size="xs"
        variant="default"
        loading={allowing.isPending}
        onClick={() => allowing.mutate()}
      >
        Let it make its own keys
      </Button>
    </Alert>
  );
}

const message = (
  { name, url }: InvitedPerson,
  { applicationId, baseUrl }: { applicationId: string; baseUrl: string },
): string =>
  [
    `For ${name}`,
    `Portal:         ${url}`,
    '                (works once, within 24 hours; make your key there under "Access")',
    `Application ID: ${applicationId}`,
    `Base URL:       ${baseUrl}`,
    `Guides:         ${baseUrl}/docs/guides`,
  ].join('\n');

/** Everything that a partner needs, on one page: ID, base URL, and a link by which it makes its own key. */
export function HandOver({
  application,
  seen,
}: {
  application: ApplicationInFull;
  seen: SeenVersion;
}) {
  const { applicationId, portalKeys } = application;
  const { baseUrl } = useSession();
  const confirmed = useStepUp();
  const form = useForm({
    mode: 'controlled',
    initialValues: { name: '', email: '' },
    validate: {
      name: (text) => (text.trim() === '' ? 'Enter the name of a person' : null),
      email: (text) => (/^\S+@\S+$/.test(text.trim()) ? null : 'Enter an email address'),
    },
  });
  const inviting = useMutation({
    mutationFn: ({ name, email }: { name: string; email: string }) =>
      confirmed(() =>
        partners.invitePerson(applicationId, { name: name.trim(), email: email.trim() }),
      ),
    meta: { shown: true },
    onSuccess: () => form.reset(),
  });
  const failure = useFieldErrors(form, inviting.error);
  return (
    <Section
      title="Hand over"
      about="Name a person of the partner: their link opens the portal, where they make the key of their program. Afterwards they stay signed in."
    >
      <Stack gap="sm">
        <Facts
          facts={{
            'Application ID': <Copied value={applicationId} what="application ID" />,
            'Base URL': <Copied value={baseUrl} what="base URL" />,
            Guides: <Copied value={`${baseUrl}/docs/guides`} what="address of the guides" />,
          }}
        />
        {!portalKeys && <AllowKeys application={application} seen={seen} />}
        {inviting.data && (
          <Alert color="teal" variant="light" role="status" title="The link is shown only now">
            <Stack gap="xs">
              Send this over a secure channel: whoever opens the link first is signed in.
              <CodeBlock
                code={message(inviting.data, { applicationId, baseUrl })}
                language="plaintext"
              />
              <Group>
                <Button size="xs" variant="default" onClick={inviting.reset}>
                  I have copied it
                </Button>
              </Group>
            </Stack>
          </Alert>
        )}
        {failure && <Failure error={failure} />}
        <form onSubmit={form.onSubmit((values) => inviting.mutate(values))} noValidate>
          <Group gap="sm" align="flex-end">
            <TextInput label="Name of the person" required {...form.getInputProps('name')} />
            <TextInput
              label="Email of the person"
              type="email"
              required
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={inviting.isPending}>
              Make a link
            </Button>
          </Group>
        </form>
      </Stack>
    </Section>
  );
}
