import { Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { eventTexts } from '#contract/events.ts';
import { portalLimits } from '#contract/portal/limits.ts';
import { Failure } from '../components/failure.tsx';
import { useFieldErrors } from '../components/field-errors.ts';
import type { EndpointInput, EventType } from './types.ts';

interface Values {
  url: string;
  description: string;
  which: 'all' | 'some';
  types: EventType[];
}

const urlProblem = (text: string): string | null => {
  if (text.trim() === '') return 'Enter the URL that events are posted to';
  return URL.canParse(text.trim())
    ? null
    : 'Enter a complete URL, such as https://example.com/hooks';
};

/** Asks for the URL, a description and the event types of an endpoint. */
export function EndpointForm({
  initial,
  submitLabel,
  onSubmit,
  onCancel,
}: {
  initial: EndpointInput;
  submitLabel: string;
  /** Rejects with the error of the service. */
  onSubmit: (input: EndpointInput) => Promise<void>;
  onCancel: () => void;
}) {
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: {
      url: initial.url,
      description: initial.description,
      which: initial.eventTypes === null ? 'all' : 'some',
      types: initial.eventTypes ?? [],
    },
    validate: {
      url: urlProblem,
      types: (chosen, { which }) =>
        which === 'some' && chosen.length === 0 ? 'Choose at least one type' : null,
    },
  });
  const { which } = form.values;
  const [refused, setRefused] = useState<Error | null>(null);
  const failure = useFieldErrors(form, refused, { '/eventTypes': 'types' });

  const submit = form.onSubmit(async ({ url, description, types: chosen }) => {
    setRefused(null);
    const eventTypes = which === 'all' ? null : chosen;
    try {
      await onSubmit({ url: url.trim(), description: description.trim(), eventTypes });
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      setRefused(thrown);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="URL"
          description="Events are posted here, as JSON."
          placeholder="https://example.com/hooks/latchkey"
          inputMode="url"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput
          label="Description"
          description="A note for you. It is not sent to the endpoint."
          maxLength={portalLimits.descriptionLength}
          autoComplete="off"
          {...form.getInputProps('description')}
        />
        <Radio.Group label="Event types" {...form.getInputProps('which')}>
          <Stack gap={6} mt={4}>
            <Radio value="all" label="All types, including future ones" />
            <Radio value="some" label="Only these:" />
          </Stack>
        </Radio.Group>
        {which === 'some' && (
          <Checkbox.Group
            label="Types to send"
            errorProps={{ mt: 'xs' }}
            {...form.getInputProps('types')}
          >
            <Stack gap={8}>
              {Object.entries(eventTexts).map(([type, { summary }]) => (
                <Checkbox key={type} value={type} label={type} description={summary} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {failure && <Failure error={failure} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
