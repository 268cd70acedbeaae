/** Every limit that a partner can reach. Spec: CALL-17. */
export const limits = {
  bodyBytes: 16_384,
  /** How deep a body may be nested. */
  bodyDepth: 32,
  /** What is parsed of a body in one go: everything but its long strings. */
  parsedBytes: 4 * 1024 * 1024,
  /** Most members and items of a body together. */
  bodyValues: 100_000,
  accessTokenSeconds: 900,
  nightsPerStay: { min: 1, max: 90 },
  bookingHorizonDays: 730,
  calendarsAtOnce: 25,
  calendarDays: 93,
  pageSize: { min: 1, max: 50, default: 20 },
  changePageSize: { min: 1, max: 500, default: 100 },
  cursorLength: { min: 1, max: 1024 },
  destinationLength: 100,
  radiusKm: 500,
  /** Most amenities of a search, and the longest name of one. */
  amenities: 20,
  amenityLength: 200,
  bedroomsMin: { min: 0, max: 50 },
  flexDays: { min: 0, max: 3 },
  adults: { min: 1, max: 99 },
  otherGuests: { min: 0, max: 99 },
  /** Most infants in any home; its rules cannot allow more. */
  infants: 10,
  /** Most adults and children in a home without `sleeps`. */
  guestsWithoutSleeps: 50,
  nameLength: 100,
  emailLength: 254,
  partnerReferenceLength: 100,
  /** What a partner notes about a request for a change. */
  changeNoteLength: 500,
  /** Requests to cancel or change one reservation, with those that were decided or withdrawn. */
  requestsOfReservation: 100,
  promotionCodeLength: 64,
  idempotencyKeyLength: 255,
  opaqueLength: 255,
  maxVersion: 2_147_483_647,
  quoteMinutes: 15,
  sessionHours: 24,
  /** After its submission, a booking whose outcome is not known is decided by the service. */
  uncertainHours: 24,
  paymentSetupUnansweredSeconds: 60,
  paymentActionMinutes: 60,
  submissionMinutes: 60,
  liveReadSeconds: 5,
  /** The oldest `meta.asOf` of a search and of a calendar. */
  searchAgeSeconds: 60,
  calendarAgeSeconds: 120,
  eventFeedDays: 30,
  signalPastHours: 24,
  signalFutureMinutes: 5,
  /** How many repeats are answered in a minute for each call of the quota. */
  repeatsPerCall: 10,
  tokensPerMinute: 30,
  wrongSecretsPerMinute: 10,
  unknownClientTokensPerMinute: 60,
  suspensionSeconds: 60,
} as const;

/** The quota tiers. Spec: QUOTA-1. */
export const tiers = ['read', 'search', 'write', 'signal'] as const;
export type Tier = (typeof tiers)[number];

/** Calls per minute, unless the operator agreed on others with the application. Spec: QUOTA-1. */
export const defaultQuotas: Readonly<Record<Tier, number>> = {
  read: 360,
  search: 36,
  write: 120,
  signal: 240,
};
