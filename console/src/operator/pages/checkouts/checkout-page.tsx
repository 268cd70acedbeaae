import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Copy } from '../../../base/components/copy.tsx';
import { Facts } from '../../../base/components/facts.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment, ZoneOfHome } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { type Checkout, checkoutQuery } from '../../api/reservations.ts';
import { useMay } from '../../frame/session.ts';
import { PhoneLink } from '../../components/phone-link.tsx';
import { PriceLines } from '../../components/price-lines.tsx';
import { Word } from '../../../base/components/word.tsx';
import { Timeline } from '../../../base/components/timeline.tsx';
import { dayText } from '../../words/days.ts';
import { productWord } from '../../../base/words/product-words.ts';
import { moneyText } from '../../../base/words/money.ts';
import { partyText } from '../../../base/words/party.ts';
import { stateLabel } from '../../words/states.ts';
import { openResolve } from './resolve-dialog.tsx';

function Evidence({ checkout }: { checkout: Checkout }) {
  const { evidence, charges } = checkout;
  const { attemptId, supply, payment, payments } = evidence;
  return (
    <Section title="Evidence" about="What the other systems say of this attempt now.">
      <Facts
        facts={{
          'Not known': evidence.unknownStep && <Word of={evidence.unknownStep} />,
          'The system of the homes': supply && <Word of={supply} />,
          'Card provider': payment && <Word of={payment} />,
          Since: <Moment at={evidence.since} />,
          Tries: evidence.tries,
          'Next look': evidence.nextLookUpAt && <Moment at={evidence.nextLookUpAt} />,
          Attempt: (
            <>
              <span className="mono">{attemptId}</span> <Copy value={attemptId} what="attempt ID" />
            </>
          ),
          Payments: payments
            .map(
              ({ state, amount }) =>
                `${moneyText(amount, charges.currency)} ${productWord(state).toLowerCase()}`,
            )
            .join(', '),
        }}
      />
    </Section>
  );
}

function Detail({ checkout }: { checkout: Checkout }) {
  const { checkoutId, kind, state, application, listing, guest, reference } = checkout;
  const canAct = useMay('reservations');
  const isUncertain = state === 'uncertain' || state === 'unresolved';
  return (
    <Stack gap="md">
      <PageTitle
        title={guest ? `${guest.firstName} ${guest.lastName}`.trim() : 'Guest removed'}
        about={`${kind === 'checkout' ? 'Checkout' : 'Request'} ${checkoutId}`}
      >
        {canAct && isUncertain && (
          <>
            <Button variant="default" size="xs" onClick={() => openResolve(checkout, 'confirmed')}>
              It was made
            </Button>
            <Button
              variant="light"
              color="red"
              size="xs"
              onClick={() => openResolve(checkout, 'failed')}
            >
              It was not made
            </Button>
          </>
        )}
      </PageTitle>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Evidence checkout={checkout} />
        <Section title="Stay">
          <Facts
            facts={{
              State: <StateBadge words={stateLabel(state)} />,
              Reservation: reference && (
                <TextLink to="/reservations/$reference" params={{ reference }} size="sm">
                  {reference}
                </TextLink>
              ),
              Home: listing.name ?? listing.slug ?? listing.listingId,
              Arrival: dayText(checkout.checkIn),
              Departure: dayText(checkout.checkOut),
              Guests: partyText(checkout.party),
              Email: guest?.email,
              Phone: guest && <PhoneLink phone={guest.phone} size="sm" />,
              Partner: application.name,
            }}
          />
        </Section>
      </SimpleGrid>
      <Section title="Price">
        <PriceLines charges={checkout.charges} />
      </Section>
      <Section title="What happened" about="Oldest first.">
        <Timeline items={checkout.history} />
      </Section>
    </Stack>
  );
}

/** One checkout or request with the evidence for its outcome. */
export function CheckoutPage() {
  const { checkoutId } = useParams({ from: '/inside/checkouts/$checkoutId' });
  const choice = useSearch({ from: '/inside/checkouts/$checkoutId' });
  const query = useQuery(checkoutQuery(checkoutId, choice));
  return (
    <Stack gap="sm">
      <TextLink to="/checkouts" size="sm">
        ← Uncertain checkouts
      </TextLink>
      <Loaded query={query}>
        {(checkout) => (
          <ZoneOfHome value={checkout.listing.timeZone ?? 'UTC'}>
            <Detail checkout={checkout} />
          </ZoneOfHome>
        )}
      </Loaded>
    </Stack>
  );
}
