/**
 * Home, site and price of the examples, so that a pasted example works in the simulation. Generated from its homes by
 * `npm run generate`: src/build/example-stay.ts says which stay.
 */
import type { Static } from 'typebox';
import type { Calendar } from '../schemas/search.ts';
import type { Listing } from '../schemas/listing.ts';
import type { Party } from '../schemas/primitives.ts';
import type { Charges, Terms } from '../schemas/quote.ts';
import type { Site } from '../schemas/site.ts';

/** The site of the simulation. */
export const site: Site = {
  "name": "Alder & Tarn",
  "slug": "alder-and-tarn",
  "environment": "simulation",
  "discovery": "brand",
  "capabilities": [
    "catalog",
    "search",
    "quotes",
    "checkout",
    "signals"
  ],
  "collections": [
    {
      "collectionId": "06fcbeb7-8b35-8ad6-9e9d-7f329b978845",
      "slug": "portugal-and-its-islands",
      "name": "Portugal and its Islands",
      "description": "Lime-washed farms behind the Alentejo cliffs, tall thin houses in Lisbon and Porto, a cellar in the Douro, and the green islands an hour and a half out to sea."
    },
    {
      "collectionId": "11f48828-e867-83ce-9b10-5cae16166f0b",
      "slug": "high-valleys",
      "name": "High Valleys of the Alps",
      "description": "Larch, stone and tiled stoves: farmhouses, chalets and boathouses in valleys where the bus still waits for the last person running."
    },
    {
      "collectionId": "c4cff3a2-76c4-899d-8c92-816e56d71f0c",
      "slug": "maine-coast",
      "name": "The Maine Coast",
      "description": "Shingle and clapboard, spruce and granite, from the sand beaches in the south to the last lighthouse before Canada, and an island or two beyond."
    },
    {
      "collectionId": "88e6a14f-2a0f-8610-9bb0-1d9d171a67b6",
      "slug": "kyoto-and-around",
      "name": "Kyoto and Around",
      "description": null
    },
    {
      "collectionId": "0bcbf069-e6c4-80a9-8dc0-d623167f8d4f",
      "slug": "the-cape",
      "name": "The Cape",
      "description": "Gabled farms in the winelands, white cottages on both oceans, the edge of the Karoo, and a city with a mountain standing in it."
    },
    {
      "collectionId": "6d4c6f48-4dce-8533-b26a-86c821963b5f",
      "slug": "highlands-and-islands",
      "name": "Highlands and Islands",
      "description": "Crofts, manses and boathouses north and west of the Great Glen, and across the water from Barra to Orkney. Weather included."
    }
  ],
  "policies": [
    {
      "label": "Booking and payment",
      "body": "A booking is made once we confirm it and not before. The price you are quoted is the whole price, taxes and cleaning included. Some homes are paid in full when you book; others take a part then and the balance later, and say so."
    },
    {
      "label": "Changes and cancellation",
      "body": "Each home has its own terms, which you read and accept before you book. To change or cancel a stay, write to our reservations team with your reference. Refunds go back the way the money came, within five working days."
    },
    {
      "label": "Who stays",
      "body": "Only the people named in the booking sleep in the house. Visitors by day are welcome where the house rules do not say otherwise. The person who books is at least 21 and stays in the house."
    },
    {
      "label": "Care of the house",
      "body": "Things break. Tell us and we mend them; we charge only for damage that goes well beyond wear. Leave the house as you would leave a friend’s: dishes done, rubbish out, windows closed."
    },
    {
      "label": "Quiet",
      "body": "All our homes have neighbours, some of them with four legs. Music stays indoors after ten at night. We do not take parties or events without a word beforehand."
    },
    {
      "label": "Smoking",
      "body": "No smoking and no vaping in any of our homes. On terraces and in gardens, take the ends with you, and nowhere in dry summers."
    }
  ],
  "standards": [
    {
      "label": "Somebody we know",
      "body": "Every home is looked after by a person who lives within half an hour of it, whose name and number you get with your confirmation."
    },
    {
      "label": "Beds we have slept in",
      "body": "One of us has spent at least two nights in every home. Mattresses are replaced after eight years, pillows after two, and linen is line-dried wherever there is a line."
    },
    {
      "label": "A kitchen that cooks",
      "body": "Sharp knives, a heavy pan, salt, oil, coffee for the first morning, and enough plates that nobody has to wash up between courses."
    },
    {
      "label": "Cleaned by hand, checked twice",
      "body": "A home is cleaned by people who are paid properly for it, then checked against its own list by somebody else before you arrive."
    },
    {
      "label": "Warm and safe",
      "body": "Smoke and carbon monoxide alarms in every home, tested at each change of guests. Stoves are swept yearly. Exits, hazards and the nearest doctor are on one page by the door."
    },
    {
      "label": "As described",
      "body": "If a home is not as we describe it and we cannot put that right within a day, we move you to one that is, or give your money back."
    }
  ],
  "trader": {
    "name": "Alder & Tarn Stays Ltd",
    "address": "4 Harbour Row, Edinburgh EH6 6JJ, United Kingdom",
    "email": "stays@alder-and-tarn.example",
    "phone": "+441310000000",
    "registrationNumber": "SC000000"
  }
};

/** The home that is booked. */
export const listing: Listing = {
  "listingId": "3342c4e3-503d-8184-9f8b-4f7c3cce13fd",
  "slug": "casa-do-sobreiro",
  "name": "Casa do Sobreiro",
  "description": "Cork is cut from each tree every nine years and the year is painted on the trunk, so a walk before breakfast is also a lesson in patience. The farmhouse belongs to the family that does the cutting. They live over the ridge and come by on Thursdays with eggs.\n\nFive bedrooms lie around a courtyard with a lemon tree. The pool is an old irrigation tank, deep at one end and properly cold until June. At night you will want the roof and a blanket: this is one of the darkest skies on the mainland.\n\nThe last kilometre is rough. Any car will do it slowly.",
  "blurb": "A cork farm at the end of six kilometres of track, with nobody’s lights in sight.",
  "collectionId": "06fcbeb7-8b35-8ad6-9e9d-7f329b978845",
  "timeZone": "Europe/Lisbon",
  "destination": "Serra de Grândola, Alentejo",
  "sleeps": 10,
  "bedrooms": 5,
  "bathrooms": 4,
  "checkInFrom": "16:00",
  "checkOutUntil": "11:00",
  "images": [
    {
      "url": "https://sandbox.latchkey.invalid/pictures/casa-do-sobreiro/1.svg",
      "alt": "The white farmhouse among cork oaks and summer grass"
    },
    {
      "url": "https://sandbox.latchkey.invalid/pictures/casa-do-sobreiro/2.svg",
      "alt": "The tank pool at dusk with a parasol beside it"
    },
    {
      "url": "https://sandbox.latchkey.invalid/pictures/casa-do-sobreiro/3.svg",
      "alt": "A path between flower beds to the farmhouse door, a bench under the tree"
    },
    {
      "url": "https://sandbox.latchkey.invalid/pictures/casa-do-sobreiro/4.svg",
      "alt": "Bunks in the hayloft with a ladder and a chest"
    },
    {
      "url": "https://sandbox.latchkey.invalid/pictures/casa-do-sobreiro/5.svg",
      "alt": "A table for eight at the long window over the fields"
    },
    {
      "url": "https://sandbox.latchkey.invalid/pictures/casa-do-sobreiro/6.svg",
      "alt": "Stars over the cork hills"
    }
  ],
  "amenities": [
    "Tank pool",
    "Bread oven",
    "Telescope",
    "Fireplace",
    "Wi-Fi in the main house",
    "Hammocks",
    "Board games",
    "Barbecue",
    "Washing machine"
  ],
  "policies": [
    {
      "label": "Check-in and check-out",
      "body": "Arrive from 16:00, leave by 11:00. Meet Joaquim at the chapel on the N120 and follow his van in; phone reception ends there."
    },
    {
      "label": "House rules",
      "body": "From June to October no open fire of any kind outdoors, by law. Gates are left as you find them."
    },
    {
      "label": "Pets",
      "body": "Up to 3 pets are welcome, for a fee. Keep them off the beds."
    },
    {
      "label": "Payment",
      "body": "50 % of the price is due when you book, the balance 60 days before arrival."
    },
    {
      "label": "Cancellation",
      "body": "Cancel at least 45 days before arrival, and 100 % of what has been collected by then is refunded. Cancel at least 21 days before arrival, and 50 % of what has been collected by then is refunded. The first of these that applies counts. Later, nothing is refunded. Days end at midnight at the property."
    }
  ],
  "spaces": [
    {
      "type": "bedroom",
      "name": "Lemon room",
      "isPrivate": true,
      "beds": [
        {
          "type": "king",
          "quantity": 1
        }
      ]
    },
    {
      "type": "bedroom",
      "name": "Fig room",
      "isPrivate": true,
      "beds": [
        {
          "type": "queen",
          "quantity": 1
        }
      ]
    },
    {
      "type": "bedroom",
      "name": "Stable one",
      "isPrivate": true,
      "beds": [
        {
          "type": "double",
          "quantity": 1
        }
      ]
    },
    {
      "type": "bedroom",
      "name": "Stable two",
      "isPrivate": true,
      "beds": [
        {
          "type": "single",
          "quantity": 2
        }
      ]
    },
    {
      "type": "bunk_room",
      "name": "Hayloft",
      "isPrivate": true,
      "beds": [
        {
          "type": "bunk",
          "quantity": 1
        }
      ]
    },
    {
      "type": "courtyard",
      "name": "Courtyard",
      "isPrivate": false,
      "beds": []
    }
  ],
  "geo": {
    "latitude": 38.1183,
    "longitude": -8.6012
  },
  "indexable": true,
  "propertyType": null,
  "registrationNumber": null,
  "partyRules": {
    "maxGuests": 10,
    "children": true,
    "infants": true,
    "maxPets": 3
  },
  "maxNights": 28
};

/** One week, from Saturday to Saturday. */
export const stay = {
  "checkIn": "2027-08-14",
  "checkOut": "2027-08-21",
  "nights": 7
};

/** Who stays. */
export const party: Static<typeof Party> = {
  "adults": 2,
  "children": 1,
  "infants": 0,
  "pets": 0
};

/** When the week is quoted. */
export const quotedAt = "2027-03-02T15:04:05.120Z";

/** The dates of the week, the day of departure included. */
export const days: Calendar['days'] = [
  {
    "date": "2027-08-14",
    "available": true,
    "minNights": 5,
    "checkInAllowed": true,
    "checkOutAllowed": true,
    "price": 52700,
    "maxNights": 28
  },
  {
    "date": "2027-08-15",
    "available": true,
    "minNights": 5,
    "checkInAllowed": true,
    "checkOutAllowed": true,
    "price": 44950,
    "maxNights": 28
  },
  {
    "date": "2027-08-16",
    "available": true,
    "minNights": 5,
    "checkInAllowed": true,
    "checkOutAllowed": true,
    "price": 44950,
    "maxNights": 28
  },
  {
    "date": "2027-08-17",
    "available": true,
    "minNights": 5,
    "checkInAllowed": true,
    "checkOutAllowed": true,
    "price": 44950,
    "maxNights": 28
  },
  {
    "date": "2027-08-18",
    "available": true,
    "minNights": 5,
    "checkInAllowed": true,
    "checkOutAllowed": true,
    "price": 44950,
    "maxNights": 28
  },
  {
    "date": "2027-08-19",
    "available": true,
    "minNights": 5,
    "checkInAllowed": true,
    "checkOutAllowed": true,
    "price": 44950,
    "maxNights": 28
  },
  {
    "date": "2027-08-20",
    "available": true,
    "minNights": 5,
    "checkInAllowed": true,
    "checkOutAllowed": true,
    "price": 52700,
    "maxNights": 28
  },
  {
    "date": "2027-08-21",
    "available": true,
    "minNights": 5,
    "checkInAllowed": true,
    "checkOutAllowed": true,
    "price": 52700,
    "maxNights": 28
  }
];

/** The digest of the currency and these days. */
export const calendarDigest = "eJEw0H25ASYFzjUvobDy6e3mgj3Bj00pGjktJErguj4";

/** The charges of the week. */
export const charges: Charges = {
  "currency": "EUR",
  "accommodation": 297135,
  "fees": 16000,
  "cleaning": 14000,
  "taxes": 18788,
  "includedTaxes": [],
  "total": 331923,
  "dueNow": 165962,
  "schedule": [
    {
      "dueOn": "2027-03-02",
      "amount": 165962
    },
    {
      "dueOn": "2027-06-15",
      "amount": 165961
    }
  ],
  "lines": [
    {
      "kind": "accommodation",
      "label": "Accommodation",
      "amount": 330150
    },
    {
      "kind": "discount",
      "label": "Weekly rate",
      "amount": -33015,
      "percent": 10,
      "base": 330150
    },
    {
      "kind": "cleaning",
      "label": "Cleaning",
      "amount": 14000
    },
    {
      "kind": "fee",
      "label": "Firewood",
      "amount": 2000
    },
    {
      "kind": "tax",
      "label": "VAT",
      "amount": 18788,
      "percent": 6,
      "base": 313135
    }
  ],
  "nights": [
    {
      "date": "2027-08-14",
      "amount": 52700
    },
    {
      "date": "2027-08-15",
      "amount": 44950
    },
    {
      "date": "2027-08-16",
      "amount": 44950
    },
    {
      "date": "2027-08-17",
      "amount": 44950
    },
    {
      "date": "2027-08-18",
      "amount": 44950
    },
    {
      "date": "2027-08-19",
      "amount": 44950
    },
    {
      "date": "2027-08-20",
      "amount": 52700
    }
  ]
};

/** A promotion code of the simulation that applies to the week. */
export const promotionCode = "WELCOME10";

/** The charges of the week with that code. */
export const promotedCharges: Charges = {
  "currency": "EUR",
  "accommodation": 267421,
  "fees": 16000,
  "cleaning": 14000,
  "taxes": 17005,
  "includedTaxes": [],
  "total": 300426,
  "dueNow": 150213,
  "schedule": [
    {
      "dueOn": "2027-03-02",
      "amount": 150213
    },
    {
      "dueOn": "2027-06-15",
      "amount": 150213
    }
  ],
  "lines": [
    {
      "kind": "accommodation",
      "label": "Accommodation",
      "amount": 330150
    },
    {
      "kind": "discount",
      "label": "Weekly rate",
      "amount": -33015,
      "percent": 10,
      "base": 330150
    },
    {
      "kind": "promotion",
      "label": "10 % off, to get to know us",
      "amount": -29714,
      "percent": 10,
      "base": 297135
    },
    {
      "kind": "cleaning",
      "label": "Cleaning",
      "amount": 14000
    },
    {
      "kind": "fee",
      "label": "Firewood",
      "amount": 2000
    },
    {
      "kind": "tax",
      "label": "VAT",
      "amount": 17005,
      "percent": 6,
      "base": 283421
    }
  ],
  "nights": [
    {
      "date": "2027-08-14",
      "amount": 52700
    },
    {
      "date": "2027-08-15",
      "amount": 44950
    },
    {
      "date": "2027-08-16",
      "amount": 44950
    },
    {
      "date": "2027-08-17",
      "amount": 44950
    },
    {
      "date": "2027-08-18",
      "amount": 44950
    },
    {
      "date": "2027-08-19",
      "amount": 44950
    },
    {
      "date": "2027-08-20",
      "amount": 52700
    }
  ]
};

/** The terms of the quote. */
export const terms: Terms = {
  "version": "AJdO7FRR3zIYhr45PzSbUO",
  "policies": [
    {
      "label": "Check-in and check-out",
      "body": "Arrive from 16:00, leave by 11:00. Meet Joaquim at the chapel on the N120 and follow his van in; phone reception ends there."
    },
    {
      "label": "House rules",
      "body": "From June to October no open fire of any kind outdoors, by law. Gates are left as you find them."
    },
    {
      "label": "Pets",
      "body": "Up to 3 pets are welcome, for a fee. Keep them off the beds."
    },
    {
      "label": "Payment",
      "body": "50 % of the price is due when you book, the balance 60 days before arrival."
    },
    {
      "label": "Cancellation",
      "body": "Cancel at least 45 days before arrival, and 100 % of what has been collected by then is refunded. Cancel at least 21 days before arrival, and 50 % of what has been collected by then is refunded. The first of these that applies counts. Later, nothing is refunded. Days end at midnight at the property."
    }
  ],
  "cancellation": [
    {
      "before": "2027-06-14T23:00:00.000Z",
      "refundAmount": 165962
    },
    {
      "before": "2027-06-30T23:00:00.000Z",
      "refundAmount": 331923
    },
    {
      "before": "2027-07-24T23:00:00.000Z",
      "refundAmount": 165962
    }
  ],
  "securityDeposit": null
};

/** The terms with the promotion: refunds follow the lower charges. */
export const promotedTerms: Terms = {
  "version": "AJdO7FRR3zIYhr45PzSbUO",
  "policies": [
    {
      "label": "Check-in and check-out",
      "body": "Arrive from 16:00, leave by 11:00. Meet Joaquim at the chapel on the N120 and follow his van in; phone reception ends there."
    },
    {
      "label": "House rules",
      "body": "From June to October no open fire of any kind outdoors, by law. Gates are left as you find them."
    },
    {
      "label": "Pets",
      "body": "Up to 3 pets are welcome, for a fee. Keep them off the beds."
    },
    {
      "label": "Payment",
      "body": "50 % of the price is due when you book, the balance 60 days before arrival."
    },
    {
      "label": "Cancellation",
      "body": "Cancel at least 45 days before arrival, and 100 % of what has been collected by then is refunded. Cancel at least 21 days before arrival, and 50 % of what has been collected by then is refunded. The first of these that applies counts. Later, nothing is refunded. Days end at midnight at the property."
    }
  ],
  "cancellation": [
    {
      "before": "2027-06-14T23:00:00.000Z",
      "refundAmount": 150213
    },
    {
      "before": "2027-06-30T23:00:00.000Z",
      "refundAmount": 300426
    },
    {
      "before": "2027-07-24T23:00:00.000Z",
      "refundAmount": 150213
    }
  ],
  "securityDeposit": null
};
