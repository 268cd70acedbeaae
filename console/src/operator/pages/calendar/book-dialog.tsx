import {
  Alert,
  Checkbox,
  Code,
  Group,
  Modal,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { Copy } from '../../../base/components/copy.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { useUnsaved } from '../../../base/components/unsaved.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { agesIn } from '../../../base/words/party.ts';
import {
  type CreatedReservation,
  type NewReservation,
  reservations,
} from '../../api/reservations.ts';
import { ActForm } from '../../components/act-form.tsx';
import { PartyFields, partyPaths } from '../../components/party-fields.tsx';
import { PriceLines } from '../../components/price-lines.tsx';
import { dayText, stayText } from '../../words/days.ts';

/** The stay that somebody who phones wants. */
export interface WantedStay {
  /** The home's slug and name. */
  listing: string;
  name: string;
  checkIn: string;
  checkOut: string;
  /** Absent: two. */
  adults?: number | undefined;
}

const ways = {
  outside: 'Outside, and I record it',
  link: 'By a payment link',
  property: 'At the property',
} as const;
type Way = keyof typeof ways;

const guestFields = [
  { name: 'firstName', label: 'First name', type: 'text' },
  { name: 'lastName', label: 'Last name', type: 'text' },
  { name: 'email', label: 'Email', type: 'email' },
  { name: 'phone', label: 'Phone', type: 'tel' },
] as const;

type Guest = NewReservation['guest'];

const nobody: Guest = { firstName: '', lastName: '', email: '', phone: '' };

/** The price does not depend on the guest, who is told last. */
const anybody: Guest = {
  firstName: 'Guest',
  lastName: 'Guest',
  email: 'guest@example.com',
  phone: '+10000000000',
};

const isNamed = (guest: Guest): boolean =>
  Object.values(guest).every((value) => value.trim() !== '');

/** `0049 30 123-4` as the service takes it: `+49301234`. */
const plainPhone = (typed: string): string =>
  typed.replaceAll(/[\s()./-]/g, '').replace(/^00/, '+');

const trimmed = ({ firstName, lastName, email, phone }: Guest): Guest => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: email.trim(),
  phone: plainPhone(phone),
});

/** The price with its lines, and what is due when. */
function BookPreview(created: CreatedReservation) {
  const { currency, total, lines, dueNow, schedule } = created;
  const later = schedule.slice(dueNow > 0 ? 1 : 0);
  return (
    <Stack gap="xs">
      <PriceLines charges={{ currency, total, lines }} />
      <Text size="sm">
        Due now: {moneyText(dueNow, currency)}
        {later.map(({ dueOn, amount, at }) => (
          <span key={dueOn}>
            {' '}
            · {dayText(dueOn)}
            {at === 'property' && ', at the property'}: {moneyText(amount, currency)}
          </span>
        ))}
      </Text>
    </Stack>
  );
}

/** Shows the payment link, to be sent to the guest. */
const showLink = (reference: string, url: string): void => {
  modals.open({
    title: `Payment link: ${reference}`,
    children: (
      <Alert variant="light" title="Send this to the guest">
        <Group gap={4} wrap="nowrap">
          <Code className="break">{url}</Code>
          <Copy value={url} what="payment link" />
        </Group>
      </Alert>
    ),
  });
};

const shownFields = [
  '/checkIn',
  '/checkOut',
  '/promotionCode',
  ...guestFields.map(({ name }) => `/guest/${name}`),
  ...partyPaths,
];

/** Books a stay for somebody who phones: price, guest, how it is paid. */
export function BookDialog({
  wanted,
  onClose,
  onBooked,
}: {
  wanted: WantedStay;
  onClose: () => void;
  onBooked: (reference: string) => void;
}) {
  const start = {
    checkIn: wanted.checkIn,
    checkOut: wanted.checkOut,
    party: { adults: wanted.adults ?? 2, children: 0, infants: 0, pets: 0 },
    ages: '',
    guest: nobody,
    pay: 'outside' as Way,
    promotionCode: '',
    ignoreRules: false,
  };
  const [typed, setTyped] = useState(start);
  const change = (changes: Partial<typeof start>) => setTyped({ ...typed, ...changes });
  const close = useUnsaved(JSON.stringify(typed) !== JSON.stringify(start));
  const { promotionCode, ages, party, ...rest } = typed;
  const childAges = party.children > 0 ? agesIn(ages) : [];
  const input =
    typed.checkIn === '' || typed.checkOut <= typed.checkIn
      ? null
      : {
          ...rest,
          party: { ...party, ...(childAges.length > 0 && { childAges }) },
          listing: wanted.listing,
          guest: trimmed(typed.guest),
          ...(promotionCode.trim() !== '' && { promotionCode: promotionCode.trim() }),
        };
  const done = (
    { reference, url, dueNow }: CreatedReservation,
    { checkIn, checkOut, pay }: Pick<typeof start, 'checkIn' | 'checkOut' | 'pay'>,
  ) => {
    notifyDone(`${reference} is booked: ${wanted.name}, ${stayText(checkIn, checkOut)}.`);
    onBooked(reference!);
    if (url !== null) showLink(reference!, url);
    else if (pay === 'link' && dueNow > 0) {
      notifyDone('The payment link could not be made: make it on the page of the reservation.');
    }
  };
  return (
    <Modal opened onClose={() => close(onClose)} title={`Book ${wanted.name}`} size="lg">
      <ActForm
        act={{
          name: 'book',
          input,
          preview: (given) =>
            reservations.previewCreate({
              ...given,
              guest: isNamed(given.guest) ? given.guest : anybody,
            }),
          run: (given, { total }) => reservations.create({ ...given, expectedTotal: total }),
          show: BookPreview,
          isPossible: () => isNamed(typed.guest),
          label: 'Book',
          done,
        }}
        fields={shownFields}
        suggestedReason="The guest has called."
        onClose={onClose}
      >
        {(errors) => (
          <Stack gap="sm">
            <SimpleGrid cols={2}>
              <TextInput
                type="date"
                label="Arrival"
                value={typed.checkIn}
                error={errors.get('/checkIn')}
                onChange={({ currentTarget }) => change({ checkIn: currentTarget.value })}
              />
              <TextInput
                type="date"
                label="Departure"
                value={typed.checkOut}
                error={
                  typed.checkOut <= typed.checkIn
                    ? 'Must be after the arrival'
                    : errors.get('/checkOut')
                }
                onChange={({ currentTarget }) => change({ checkOut: currentTarget.value })}
              />
            </SimpleGrid>
            <PartyFields
              counts={typed.party}
              ages={typed.ages}
              errors={errors}
              onCount={(count) => change({ party: { ...typed.party, ...count } })}
              onAges={(text) => change({ ages: text })}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {guestFields.map(({ name, label, type }, at) => (
                <TextInput
                  key={name}
                  type={type}
                  label={label}
                  autoComplete="off"
                  required
                  {...(at === 0 && { 'data-autofocus': true })}
                  {...(name === 'phone' && { placeholder: '+351 912 345 678' })}
                  value={typed.guest[name]}
                  error={errors.get(`/guest/${name}`)}
                  onChange={({ currentTarget }) =>
                    change({ guest: { ...typed.guest, [name]: currentTarget.value } })
                  }
                />
              ))}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <NativeSelect
                label="How it is paid"
                data={Object.entries(ways).map(([value, label]) => ({ value, label }))}
                value={typed.pay}
                onChange={({ currentTarget }) => change({ pay: currentTarget.value as Way })}
              />
              <TextInput
                label="Promotion code"
                autoComplete="off"
                value={promotionCode}
                error={errors.get('/promotionCode')}
                onChange={({ currentTarget }) => change({ promotionCode: currentTarget.value })}
              />
            </SimpleGrid>
            <Checkbox
              label="Set the rules of the home aside"
              description="Lengths, days and guests; never nights that are taken."
              checked={typed.ignoreRules}
              onChange={({ currentTarget }) => change({ ignoreRules: currentTarget.checked })}
            />
          </Stack>
        )}
      </ActForm>
    </Modal>
  );
}
