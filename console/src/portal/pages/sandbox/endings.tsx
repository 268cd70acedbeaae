import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../api/portal.ts';
import type { Ending } from '../../api/types.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { IdField } from './fields.tsx';

/** One thing that can be ended by its name. */
function EndOne({
  label,
  verb,
  placeholder,
  isBusy,
  onEnd,
}: {
  label: string;
  verb: string;
  placeholder: string;
  isBusy: boolean;
  onEnd: (name: string) => void;
}) {
  const [name, setName] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onEnd(name.trim());
  };
  return (
    <form onSubmit={submit} aria-label={verb}>
      <Group align="flex-end" gap="xs">
        <IdField label={label} placeholder={placeholder} required value={name} onType={setName} />
        <Button type="submit" variant="default" loading={isBusy}>
          {verb}
        </Button>
      </Group>
    </form>
  );
}

const exampleId = '01a406c7-566a-7c77-a1e5-969f7edd4981';

/** Ends tokens, a quote, a session or events now. */
export function Endings() {
  const end = useMutation({
    mutationFn: ({ ending }: { ending: Ending; done: string }) => portal.expire(ending),
    onSuccess: (_nothing, { done }) => notifyDone(done),
    meta: { shown: true },
  });
  const common = { isBusy: end.isPending };
  return (
    <Section title="End now" about="What otherwise takes minutes or days.">
      <Stack gap="sm">
        <Group>
          <Button
            variant="default"
            loading={end.isPending}
            onClick={() => end.mutate({ ending: { token: true }, done: 'All tokens have ended.' })}
          >
            End all tokens
          </Button>
        </Group>
        <EndOne
          {...common}
          label="Quote ID"
          verb="End the quote"
          placeholder={exampleId}
          onEnd={(quoteId) => end.mutate({ ending: { quoteId }, done: 'The quote has expired.' })}
        />
        <EndOne
          {...common}
          label="Checkout ID"
          verb="End the session"
          placeholder={exampleId}
          onEnd={(checkoutId) =>
            end.mutate({ ending: { checkoutId }, done: 'The session of the checkout has ended.' })
          }
        />
        <EndOne
          {...common}
          label="Sequence of the first event that stays"
          verb="End earlier events"
          placeholder="10"
          onEnd={(first) =>
            end.mutate({
              ending: { feedBefore: Number(first) },
              done: 'Earlier events are gone: a cursor before it gets resync_required.',
            })
          }
        />
        {end.error && <Failure error={end.error} />}
      </Stack>
    </Section>
  );
}
