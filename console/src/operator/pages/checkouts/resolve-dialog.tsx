import { Alert, Stack } from '@mantine/core';
import { modals } from '@mantine/modals';
import { Facts } from '../../../base/components/facts.tsx';
import {
  type Checkout,
  reservations,
  type Resolution,
  type ResolutionInput,
} from '../../api/reservations.ts';
import { productWord } from '../../../base/words/product-words.ts';
import { ActForm } from '../../components/act-form.tsx';
import { Availability } from '../../components/availability.tsx';
import { EventsToSend } from '../../components/events-to-send.tsx';
import { stateLabel } from '../../words/states.ts';

type Outcome = ResolutionInput['as'];

const titles: Readonly<Record<Outcome, string>> = {
  confirmed: 'The reservation was made',
  failed: 'The reservation was not made',
};

const effects: Readonly<Record<Outcome, string>> = {
  confirmed: 'Takes the nights if they are free. The payment of a card is captured by itself.',
  failed:
    'Frees the nights. Whatever a card has paid goes back by itself, whenever it becomes known.',
};

const moneyFollows: Readonly<Record<Resolution['payment']['follows'], string | undefined>> = {
  nothing: undefined,
  capture: 'what is authorized is captured',
  collect: 'the card is charged',
  void: 'what is authorized is released',
  refund: 'what was captured is refunded',
  find_out: 'the card provider has not answered; the money follows as soon as it does',
};

const Preview = ({ state, evidence, payment, availability, events }: Resolution) => (
  <Stack gap="xs">
    <Facts
      facts={{
        'New state': stateLabel(state).name,
        'The system of the homes says': evidence.supply && productWord(evidence.supply),
        'The money': moneyFollows[payment.follows],
        Payments: evidence.payments.map((one) => productWord(one.state)).join(', ') || undefined,
      }}
    />
    <Availability availability={availability} />
    <EventsToSend events={events} />
  </Stack>
);

/** Opens the dialog that decides the outcome of a checkout. */
export const openResolve = (checkout: Checkout, as: Outcome): void => {
  const { checkoutId, kind, application, evidence } = checkout;
  const input: ResolutionInput = { as, kind, applicationId: application.applicationId };
  modals.open({
    title: titles[as],
    children: (
      <ActForm
        act={{
          name: `resolve ${checkoutId}`,
          input,
          preview: (given) => reservations.previewResolve(checkoutId, given),
          run: (given) => reservations.resolve(checkoutId, given),
          show: Preview,
          label: titles[as],
          done: 'The outcome is decided.',
          ...(as === 'failed' && { color: 'red' }),
        }}
      >
        <Alert color="yellow" variant="light" title="Be certain: this is final">
          {effects[as]}
          {evidence.payment && ` The card provider says: ${productWord(evidence.payment)}.`}
        </Alert>
      </ActForm>
    ),
  });
};
