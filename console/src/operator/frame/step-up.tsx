import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { CallFailure } from '../../base/api/call.ts';
import { Failure } from '../../base/components/failure.tsx';
import { TextLink } from '../../base/components/links.tsx';
import { account } from '../api/session.ts';
import type { Session } from '../api/types.ts';
import { Covered } from './covered.tsx';
import { signWithPasskey } from './passkey.ts';

type Confirmed = <T>(work: () => Promise<T>) => Promise<T>;

const StepUp = createContext<Confirmed>((work) => work());

/**
 * Returns a function that runs a call which may need a step-up (a row with `stepUp`). If the service wants
 * one, it asks for the code or password and runs the call again; if the dialog is closed, the refusal of the
 * service is thrown.
 *
 *     const confirmed = useStepUp();
 *     useMutation({ mutationFn: (body) => confirmed(() => operator.issueToken(body)) });
 */
export const useStepUp = (): Confirmed => use(StepUp);

const needsStepUp = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && thrown.reason === 'step_up';

const fields = {
  code: {
    label: 'Code',
    about: 'Enter the code that your app shows now.',
    input: TextInput,
    autoComplete: 'one-time-code',
  },
  password: {
    label: 'Password',
    about: 'Enter your password again.',
    input: PasswordInput,
    autoComplete: 'current-password',
  },
} as const;

function ConfirmForm({
  by,
  onDone,
  onCancel,
}: {
  by: keyof typeof fields;
  onDone: () => void;
  onCancel: () => void;
}) {
  const [value, setValue] = useState('');
  const { label, about, input: Input, autoComplete } = fields[by];
  const confirming = useMutation({
    mutationFn: () => account.stepUp({ [by]: by === 'code' ? value.trim() : value }),
    meta: { shown: true },
    onSuccess: onDone,
    onError: () => setValue(''),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The form of the page is an ancestor in React, though not in the document.
        event.stopPropagation();
        confirming.mutate();
      }}
    >
      <Stack gap="sm">
        <Text size="sm">This shows secrets, moves money or gives access. {about}</Text>
        {confirming.error && <Failure error={confirming.error} />}
        <Input
          label={label}
          autoComplete={autoComplete}
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          data-autofocus
          required
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={confirming.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Confirms by a passkey, or by a code for members who have both. */
function ConfirmByPasskey({
  hasCode,
  onDone,
  onCancel,
}: {
  hasCode: boolean;
  onDone: () => void;
  onCancel: () => void;
}) {
  const [byCode, setByCode] = useState(false);
  const confirming = useMutation({
    mutationFn: async () =>
      account.stepUp({ passkey: await signWithPasskey(await account.beginPasskeyStepUp()) }),
    meta: { shown: true },
    onSuccess: onDone,
  });
  if (byCode) return <ConfirmForm by="code" onDone={onDone} onCancel={onCancel} />;
  return (
    <Stack gap="sm">
      <Text size="sm">This shows secrets, moves money or gives access.</Text>
      {confirming.error && <Failure error={confirming.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        {hasCode && (
          <Button variant="default" onClick={() => setByCode(true)}>
            Enter a code
          </Button>
        )}
        <Button loading={confirming.isPending} onClick={() => confirming.mutate()} data-autofocus>
          Use a passkey
        </Button>
      </Group>
    </Stack>
  );
}

/** For an account that only the provider knows. */
const WithoutConfirmation = () => (
  <Text size="sm">
    Sign out and sign in again, or add a second factor on the page{' '}
    <TextLink to="/account">Account</TextLink> within ten minutes after signing in.
  </Text>
);

/** Asks the member of staff to confirm, for the pages inside. */
export function StepUpProvider({ session, children }: { session: Session; children: ReactNode }) {
  // The end of the dialog, as it is awaited: true after a confirmation.
  const [finish, setFinish] = useState<((isConfirmed: boolean) => void) | undefined>();
  const confirmed = useCallback<Confirmed>(async (work) => {
    try {
      return await work();
    } catch (thrown) {
      if (!needsStepUp(thrown)) throw thrown;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setFinish(() => resolve);
      const isConfirmed = await promise;
      setFinish(undefined);
      if (!isConfirmed) throw thrown;
      return work();
    }
  }, []);
  const cancel = () => finish?.(false);
  const isAsked = finish !== undefined;
  return (
    <StepUp value={confirmed}>
      <Covered isCovered={isAsked}>{children}</Covered>
      <Modal opened={isAsked} onClose={cancel} title="Confirm that it is you">
        {session.confirmBy === 'provider' && <WithoutConfirmation />}
        {session.confirmBy === 'passkey' && (
          <ConfirmByPasskey
            hasCode={session.hasCode}
            onDone={() => finish?.(true)}
            onCancel={cancel}
          />
        )}
        {(session.confirmBy === 'code' || session.confirmBy === 'password') && (
          <ConfirmForm by={session.confirmBy} onDone={() => finish?.(true)} onCancel={cancel} />
        )}
      </Modal>
    </StepUp>
  );
}
