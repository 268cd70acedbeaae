import type { SimulatedSite } from './shapes.ts';

/** The brand of the simulated homes. It does not exist. */
export const site: SimulatedSite = {
  name: 'Alder & Tarn',
  slug: 'alder-and-tarn',
  policies: [
    {
      label: 'Booking and payment',
      body: 'A booking is made once we confirm it and not before. The price you are quoted is the whole price, taxes and cleaning included. Some homes are paid in full when you book; others take a part then and the balance later, and say so.',
    },
    {
      label: 'Changes and cancellation',
      body: 'Each home has its own terms, which you read and accept before you book. To change or cancel a stay, write to our reservations team with your reference. Refunds go back the way the money came, within five working days.',
    },
    {
      label: 'Who stays',
      body: 'Only the people named in the booking sleep in the house. Visitors by day are welcome where the house rules do not say otherwise. The person who books is at least 21 and stays in the house.',
    },
    {
      label: 'Care of the house',
      body: 'Things break. Tell us and we mend them; we charge only for damage that goes well beyond wear. Leave the house as you would leave a friend’s: dishes done, rubbish out, windows closed.',
    },
    {
      label: 'Quiet',
      body: 'All our homes have neighbours, some of them with four legs. Music stays indoors after ten at night. We do not take parties or events without a word beforehand.',
    },
    {
      label: 'Smoking',
      body: 'No smoking and no vaping in any of our homes. On terraces and in gardens, take the ends with you, and nowhere in dry summers.',
    },
  ],
  standards: [
    {
      label: 'Somebody we know',
      body: 'Every home is looked after by a person who lives within half an hour of it, whose name and number you get with your confirmation.',
    },
    {
      label: 'Beds we have slept in',
      body: 'One of us has spent at least two nights in every home. Mattresses are replaced after eight years, pillows after two, and linen is line-dried wherever there is a line.',
    },
    {
      label: 'A kitchen that cooks',
      body: 'Sharp knives, a heavy pan, salt, oil, coffee for the first morning, and enough plates that nobody has to wash up between courses.',
    },
    {
      label: 'Cleaned by hand, checked twice',
      body: 'A home is cleaned by people who are paid properly for it, then checked against its own list by somebody else before you arrive.',
    },
    {
      label: 'Warm and safe',
      body: 'Smoke and carbon monoxide alarms in every home, tested at each change of guests. Stoves are swept yearly. Exits, hazards and the nearest doctor are on one page by the door.',
    },
    {
      label: 'As described',
      body: 'If a home is not as we describe it and we cannot put that right within a day, we move you to one that is, or give your money back.',
    },
  ],
};
