import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Copy } from '../../../base/components/copy.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { account } from '../../api/session.ts';
import type { NewFactor } from '../../api/types.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { QrCode } from './qr-code.tsx';

function FirstCode({ factor, onDone }: { factor: NewFactor; onDone: () => void }) {
  const confirmed = useStepUp();
  const [code, setCode] = useState('');
  const confirming = useMutation({
    mutationFn: () => confirmed(() => account.confirmSecondFactor(code.trim())),
    meta: { shown: true },
    onSuccess: () => {
      notifyDone('You will be asked for a code when you sign in.');
      onDone();
    },
    onError: () => setCode(''),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirming.mutate();
      }}
    >
      <Stack gap="sm" maw="24rem">
        <Text size="sm">
          Scan this with an app for one-time codes, or type the secret. Then enter the code that the
          app shows.
        </Text>
        <QrCode text={factor.url} label="QR code of the second factor" />
        <Group gap={4} wrap="nowrap">
          <span className="mono">{factor.secret}</span>
          <Copy value={factor.secret} what="secret" />
        </Group>
        {confirming.error && <Failure error={confirming.error} />}
        <TextInput
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          required
        />
        <Group gap="xs">
          <Button type="submit" loading={confirming.isPending}>
            Use it from now on
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Adds, replaces or removes the second factor. */
export function SecondFactor({ isOn }: { isOn: boolean }) {
  const confirmed = useStepUp();
  const [factor, setFactor] = useState<NewFactor | undefined>();
  const beginning = useMutation({
    mutationFn: () => confirmed(account.beginSecondFactor),
    onSuccess: setFactor,
  });
  return (
    <Section
      title="One-time codes"
      about={
        isOn
          ? 'You are asked for a code when you sign in.'
          : 'With it, a password alone is not enough to sign in.'
      }
    >
      {factor ? (
        <FirstCode factor={factor} onDone={() => setFactor(undefined)} />
      ) : (
        <Group gap="xs">
          <Button
            variant={isOn ? 'default' : 'filled'}
            loading={beginning.isPending}
            onClick={() => beginning.mutate()}
          >
            {isOn ? 'Replace it' : 'Add a second factor'}
          </Button>
          {isOn && (
            <ActButton
              size="sm"
              color="red"
              act={() => confirmed(account.removeSecondFactor)}
              done="The second factor is removed."
            >
              Remove it
            </ActButton>
          )}
        </Group>
      )}
    </Section>
  );
}
