import { Alert, Button, Code, Group, Select, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { Copy } from '../../../base/components/copy.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { Section } from '../../../base/components/section.tsx';
import { homes } from '../../api/homes.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { HomeChoice } from '../../components/home-choice.tsx';
import { type Calendar, sourceOf } from './calendar-source.ts';

const newAddress = {
  title: 'Make a new address?',
  text: 'All addresses of this home end at once. Every channel that reads one needs the new one.',
  verb: 'Make a new address',
  keep: 'Keep',
  color: 'red',
} as const;

/** Shows the secret address of the calendar of a home. */
export function OwnAddress({ calendars }: { calendars: readonly Calendar[] }) {
  const confirmed = useStepUp();
  const [home, setHome] = useState<string>();
  const [calendarId, setCalendarId] = useState<string | null>(null);
  const listing = home ?? '';
  const channels = calendars.filter((calendar) => calendar.listing === listing);
  const show = useMutation({
    mutationFn: (rotate: boolean) =>
      confirmed(() =>
        homes.calendarAddress({ listing, rotate, ...(calendarId !== null && { calendarId }) }),
      ),
    meta: { shown: true },
  });
  return (
    <Section
      title="Our calendar of a home"
      about="For other channels: which nights are taken here."
    >
      <Stack gap="sm">
        <HomeChoice
          label="Home of our calendar"
          value={home}
          onChoose={(chosen) => {
            setHome(chosen);
            setCalendarId(null);
            show.reset();
          }}
        />
        {channels.length > 0 && (
          <Select
            label="Channel that reads it"
            description="The nights that come from its own calendar are left out."
            placeholder="Any: with the nights of all channels"
            data={channels.map((calendar) => ({
              value: calendar.calendarId,
              label: sourceOf(calendar) ?? calendar.calendarId,
            }))}
            value={calendarId}
            clearable
            onChange={(chosen) => {
              setCalendarId(chosen);
              show.reset();
            }}
          />
        )}
        <Group gap="xs">
          <Button
            variant="default"
            disabled={listing === ''}
            loading={show.isPending}
            onClick={() => show.mutate(false)}
          >
            Show the address
          </Button>
          <Button
            variant="default"
            disabled={listing === '' || show.isPending}
            onClick={() => askFirst(newAddress, () => show.mutate(true))}
          >
            Make a new address
          </Button>
        </Group>
        {show.error && <Failure error={show.error} />}
        {show.data && (
          <Alert variant="light" title="This address is a secret">
            <Group gap={4} wrap="nowrap">
              <Code className="break">{show.data.url}</Code>
              <Copy value={show.data.url} what="address" />
            </Group>
          </Alert>
        )}
      </Stack>
    </Section>
  );
}
