import type { Listing, Space } from '../../../domain/listing.ts';
import type { Scene } from '../drawing/scene.ts';
import { identityOf } from './identity.ts';
import { policiesOf } from './policies.ts';
import type { Family, Home } from './shapes.ts';
import { bedroomTypes } from './spaces.ts';

/** A home of a family as the catalog offers it. */
export function listingOf(family: Family, home: Home): Listing {
  const { slug, name, description, blurb, destination, sleeps, bathrooms, geo } = home;
  return {
    listingId: identityOf('listing', slug),
    slug,
    name,
    description,
    blurb,
    collectionId: identityOf('collection', family.slug),
    timeZone: home.timeZone === undefined ? family.timeZone : home.timeZone,
    destination,
    sleeps,
    bedrooms: home.bedrooms === null ? null : bedroomsIn(home.spaces),
    bathrooms,
    pictures: home.pictures.map(([, , alt], at) => ({ path: picturePath(slug, at), alt })),
    amenities: [...home.amenities],
    policies: policiesOf(home),
    spaces: home.spaces,
    geo: geo === null ? null : { latitude: geo[0], longitude: geo[1] },
    indexable: home.indexable ?? true,
    rates: home.rates,
    partyRules: home.party,
    stayRules: home.stay,
    cancellation: home.cancellation.map((rule) => ({ ...rule })),
  };
}

/** The scenes that the pictures of a home show, by path. */
export function scenesOf(family: Family, home: Home): [path: string, scene: Scene][] {
  const [setting, building] = home.look;
  return home.pictures.map(([subject, hour, title], at) => {
    const key = picturePath(home.slug, at);
    const look = { region: family.region, setting, building };
    return [key, { ...look, key, home: home.slug, subject, hour, title }];
  });
}

function picturePath(slug: string, at: number): string {
  return `/pictures/${slug}/${at + 1}.svg`;
}

function bedroomsIn(spaces: readonly Space[]): number {
  return spaces.filter(({ type }) => bedroomTypes.includes(type)).length;
}
