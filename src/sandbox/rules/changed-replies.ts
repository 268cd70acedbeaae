/** Responses as scenarios change them. Each is one that the contract allows. */
type Body = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Body =>
  typeof value === 'object' && value !== null ? (value as Body) : {};

/** Members of a home that the contract lets be null. */
const unknownOfHome = {
  description: null,
  blurb: null,
  destination: null,
  bedrooms: null,
  bathrooms: null,
  geo: null,
} as const;

/** A page of a search whose homes have no price, and members that are null. */
export const withoutPrices = (page: Body): Body => ({
  ...page,
  items: (Array.isArray(page['items']) ? page['items'] : []).map((item) => ({
    ...objectOf(item),
    listing: { ...objectOf(objectOf(item)['listing']), ...unknownOfHome },
    total: null,
    currency: null,
  })),
});

/** A quote with the instants of a clock that is so many seconds behind. */
export function behind(quote: Body, seconds: number): Body {
  const earlier = (instant: unknown): string =>
    new Date(Date.parse(String(instant)) - seconds * 1_000).toISOString();
  return {
    ...quote,
    createdAt: earlier(quote['createdAt']),
    expiresAt: earlier(quote['expiresAt']),
  };
}
