/** Guests and pets in words, and the ages of children. */
import { counted } from './plural.ts';

/** The party of a stay. */
interface PartyInWords {
  adults: number;
  children: number;
  infants: number;
  pets: number;
  childAges?: readonly number[] | undefined;
}

/** Guests and pets: "2 adults, 2 children (aged 4, 9)". */
export function partyText({ adults, children, infants, pets, childAges }: PartyInWords): string {
  const ages = childAges?.length ? ` (aged ${childAges.join(', ')})` : '';
  const parts: readonly [count: number, text: string][] = [
    [adults, counted(adults, 'adult')],
    [children, counted(children, 'child', 'children') + ages],
    [infants, counted(infants, 'infant')],
    [pets, counted(pets, 'pet')],
  ];
  return parts.flatMap(([count, text]) => (count > 0 ? [text] : [])).join(', ');
}

/** The ages in a text such as `4, 9`. */
export const agesIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
