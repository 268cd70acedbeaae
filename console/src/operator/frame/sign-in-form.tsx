import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CallFailure } from '../../base/api/call.ts';
import { Failure } from '../../base/components/failure.tsx';
import { useFieldErrors } from '../../base/components/field-errors.ts';
import { account, signInOptionsQuery } from '../api/session.ts';
import type { Session } from '../api/types.ts';
import { signWithPasskey } from './passkey.ts';
import { goToProvider } from './provider.ts';

const codeReasons: ReadonlySet<string | undefined> = new Set([
  'code_required',
  'factor_required',
  'code',
]);
const passkeyReasons: ReadonlySet<string | undefined> = new Set([
  'passkey_required',
  'factor_required',
  'passkey',
]);
/** The service only wants more: nothing is wrong. */
const asking: ReadonlySet<string | undefined> = new Set([
  'code_required',
  'passkey_required',
  'factor_required',
]);

const reasonOf = (error: Error | null): string | undefined =>
  error instanceof CallFailure ? error.reason : undefined;

/** Signs in at the provider, if there is one. */
function AtProvider() {
  const provider = useQuery(signInOptionsQuery).data?.provider;
  const going = useMutation({ mutationFn: goToProvider, meta: { shown: true } });
  if (!provider) return undefined;
  return (
    <>
      {going.error && <Failure error={going.error} />}
      <Button variant="default" loading={going.isPending} onClick={() => going.mutate()}>
        Sign in with {provider}
      </Button>
    </>
  );
}

const focus = (field: HTMLInputElement | null): void => field?.focus();

/** Asks for address and password, and for the code once the service wants one. */
export function SignInForm({
  email = '',
  onSignedIn,
}: {
  /** The address of somebody who was signed in before. */
  email?: string;
  onSignedIn: (session: Session) => void;
}) {
  const form = useForm({
    mode: 'controlled',
    initialValues: { email, password: '', code: '' },
    validate: {
      email: (text) => (text.includes('@') ? null : 'Enter your email address'),
      password: (text) => (text === '' ? 'Enter your password' : null),
    },
  });
  const signingIn = useMutation({
    mutationFn: account.signIn,
    meta: { shown: true },
    onSuccess: onSignedIn,
    onError: () => form.setFieldValue('code', ''),
  });
  const { error, isPending, mutate } = signingIn;
  const byPasskey = useMutation({
    mutationFn: async () => {
      const { email: given, password } = form.getValues();
      const passkey = await signWithPasskey(
        await account.beginPasskeySignIn(given.trim(), password),
      );
      return account.signIn({ email: given.trim(), password, passkey });
    },
    meta: { shown: true },
    onSuccess: onSignedIn,
  });
  const reason = reasonOf(error);
  const needsCode = codeReasons.has(reason);
  const wantsPasskey = passkeyReasons.has(reason);
  const failure = useFieldErrors(form, error);
  const submit = form.onSubmit(({ email: given, password, code }) =>
    mutate({ email: given.trim(), password, ...(code !== '' && { code: code.trim() }) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {failure && !asking.has(reason) && <Failure error={failure} />}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          {...(email !== '' && { 'data-autofocus': true })}
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          {...form.getInputProps('password')}
        />
        {needsCode && (
          <TextInput
            label="Code"
            description="The six digits that your app shows now"
            autoComplete="one-time-code"
            inputMode="numeric"
            ref={focus}
            required
            {...form.getInputProps('code')}
          />
        )}
        {wantsPasskey && (
          <Button
            variant={needsCode ? 'default' : 'filled'}
            loading={byPasskey.isPending}
            onClick={() => byPasskey.mutate()}
          >
            Use a passkey
          </Button>
        )}
        {byPasskey.error && <Failure error={byPasskey.error} />}
        <Button type="submit" variant={wantsPasskey ? 'default' : 'filled'} loading={isPending}>
          Sign in
        </Button>
        <AtProvider />
      </Stack>
    </form>
  );
}
