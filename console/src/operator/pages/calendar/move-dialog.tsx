import {
  Alert,
  Badge,
  Button,
  Group,
  List,
  Modal,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Facts } from '../../../base/parts/facts.tsx';
import { Failure } from '../../../base/parts/failure.tsx';
import { useFieldErrors } from '../../../base/parts/field-errors.ts';
import { notifyDone } from '../../../base/parts/notify.tsx';
import { homes } from '../../api/homes.ts';
import type { MovedStay, StayPreview } from '../../api/homes-types.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { HomeChoice } from '../../parts/home-choice.tsx';
import { dayText } from '../../words/days.ts';
import { moneyText } from '../../../base/words/money.ts';

/** A stay, and where it is to move. */
export interface Move {
  reference: string;
  listing: string;
  checkIn: string;
  checkOut: string;
}

const typedMs = 300;

const Availability = ({ availability }: Pick<StayPreview, 'availability'>) => {
  if (!availability) return <>No nights move</>;
  if (availability.isFree) return <Badge color="teal">Free</Badge>;
  return (
    <>
      <Badge color="red">Taken</Badge>{' '}
      {availability.taken.map(({ from, to, reference, reason }) => (
        <Text key={from} size="sm" component="span">
          {dayText(from)} to {dayText(to)} {reference ?? reason ?? ''}
        </Text>
      ))}
    </>
  );
};

const Preview = ({ preview }: { preview: StayPreview }) => {
  const { price, before, after, warnings, events, availability } = preview;
  const money = (amount: number) => moneyText(amount, price.currency);
  return (
    <Stack gap="sm">
      <Facts
        facts={{
          From: `${before.listingName ?? before.listing} · ${dayText(before.checkIn)} – ${dayText(before.checkOut)}`,
          To: `${after.listingName} · ${dayText(after.checkIn)} – ${dayText(after.checkOut)}`,
          Nights: <Availability availability={availability} />,
          'Total before': money(price.before),
          'Total after': money(price.after),
          Difference: money(price.difference),
          Announced: events.length === 0 ? 'Nothing' : plainEvents(events),
        }}
      />
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="The stay breaks rules of the home">
          <List size="sm">
            {warnings.map(({ rule, message }) => (
              <List.Item key={rule}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
};

const plainEvents = (events: StayPreview['events']): string =>
  events.map((event) => (typeof event === 'string' ? event : event.type)).join(', ');

/** Moves a stay to other nights or another home, after a preview. */
export function MoveDialog({ move, onClose }: { move: Move; onClose: () => void }) {
  const confirmed = useStepUp();
  const form = useForm({
    initialValues: { ...move, price: 'keep' as 'keep' | 'recalculate', reason: '' },
    validate: {
      reason: (reason) => (reason.trim() === '' ? 'Say why: it is in the audit trail' : null),
    },
  });
  const { listing, checkIn, checkOut, price } = form.values;
  const [wanted] = useDebouncedValue({ listing, checkIn, checkOut, price }, typedMs);
  const apply = useMutation({
    mutationFn: (change: MovedStay) => confirmed(() => homes.move(move.reference, change)),
    meta: { shown: true },
    // Somebody else has changed the stay: show it as it is now.
    onError: () => void preview.refetch(),
  });
  const preview = useQuery({
    queryKey: ['move', move.reference, wanted],
    queryFn: ({ signal }) => homes.previewMove(move.reference, wanted, signal),
    placeholderData: keepPreviousData,
    // After the change there is nothing left to preview.
    enabled: !apply.isPending && !apply.isSuccess,
    retry: false,
  });
  const notShown = useFieldErrors(form, preview.error);
  const notMoved = useFieldErrors(form, apply.error);
  const isPossible =
    preview.data && !preview.isError && preview.data.availability?.isFree !== false;
  const submit = form.onSubmit(({ reason }) => {
    if (!isPossible) return;
    const expectedVersion = preview.data.before.version;
    const change = { listing, checkIn, checkOut, price, reason: reason.trim(), expectedVersion };
    apply.mutate(change, {
      onSuccess: () => {
        notifyDone(`${move.reference} has moved.`);
        onClose();
      },
    });
  });
  return (
    <Modal opened onClose={onClose} title={`Move ${move.reference}`} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <HomeChoice
            label="Home"
            value={listing}
            onChoose={(chosen = listing) => form.setFieldValue('listing', chosen)}
          />
          <Group grow align="flex-start">
            <TextInput type="date" label="Arrival" {...form.getInputProps('checkIn')} />
            <TextInput type="date" label="Departure" {...form.getInputProps('checkOut')} />
          </Group>
          <SegmentedControl
            aria-label="Price"
            data={[
              { value: 'keep', label: 'Keep the price' },
              { value: 'recalculate', label: "Take today's rates" },
            ]}
            {...form.getInputProps('price')}
          />
          {preview.isPending && <Skeleton height={120} role="status" aria-label="Loading" />}
          {notShown && <Failure error={notShown} />}
          {preview.data && !preview.error && <Preview preview={preview.data} />}
          <TextInput
            label="Reason"
            maxLength={500}
            required
            data-autofocus
            {...form.getInputProps('reason')}
          />
          {notMoved && <Failure error={notMoved} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={apply.isPending} disabled={!isPossible}>
              Move the stay
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
