import { List, Stack, Text } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { TextLink } from '../../../base/components/links.tsx';
import { Section } from '../../../base/components/section.tsx';
import { calendarsQuery, homesQuery } from '../../api/homes-queries.ts';
import { partnersQuery } from '../../api/partners.ts';
import { staffQuery } from '../../api/staff.ts';
import { useMay } from '../../frame/session.ts';

interface Step {
  name: string;
  about: string;
  to: NonNullable<LinkProps['to']>;
  /** Absent: nobody can tell. */
  isDone?: boolean;
}

const StepLine = ({ step: { name, about, to, isDone } }: { step: Step }) => (
  <List.Item
    icon={
      isDone ? (
        <IconCircleCheck size={20} role="img" aria-label="Done" />
      ) : (
        <IconCircle size={20} role="img" aria-label={isDone === false ? 'To do' : 'Step'} />
      )
    }
  >
    <TextLink to={to} size="sm">
      {name}
    </TextLink>
    <Text size="xs" c="dimmed">
      {about}
    </Text>
  </List.Item>
);

/** What to do first, while nothing was ever booked. */
export function FirstSteps() {
  const homes = useQuery(homesQuery({}, undefined)).data?.total;
  const partners = useQuery(partnersQuery).data?.items;
  const calendars = useQuery(calendarsQuery(undefined)).data?.items;
  const mayInvite = useMay('staff');
  const members = useQuery({ ...staffQuery, enabled: mayInvite }).data?.items;
  if (homes === undefined || partners === undefined) return undefined;
  const steps: readonly Step[] = [
    {
      name: 'Bring in your homes',
      about: 'From a catalog file, or one by one.',
      to: homes > 0 ? '/homes' : '/catalogs',
      isDone: homes > 0,
    },
    {
      name: 'Look at nights and prices',
      about: 'Block what is taken, and set prices in the calendar.',
      to: '/calendar',
    },
    {
      name: 'Connect the calendars of other channels',
      about: 'So that no night is sold twice.',
      to: '/channels',
      isDone: (calendars?.length ?? 0) > 0,
    },
    {
      name: 'Register the first partner',
      about: 'Its page has everything to hand over.',
      to: '/partners',
      isDone: partners.length > 0,
    },
    ...(mayInvite
      ? [
          {
            name: 'Invite your colleagues',
            about: 'Each with the role that fits.',
            to: '/staff',
            isDone: (members?.length ?? 0) > 1,
          } as const,
        ]
      : []),
  ];
  return (
    <Section title="Next steps" about="Until the first booking.">
      <Stack>
        <List spacing="sm" listStyleType="none">
          {steps.map((step) => (
            <StepLine key={step.name} step={step} />
          ))}
        </List>
      </Stack>
    </Section>
  );
}
