/** The form of a home in the console has every member of a home in a catalog file. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chargeLists } from '../console/src/operator/pages/homes/fields/charges.ts';
import {
  addressFields,
  contentFields,
  contentLists,
} from '../console/src/operator/pages/homes/fields/content.ts';
import type { FieldOf, ListOf } from '../console/src/operator/pages/homes/fields/field-of.ts';
import { rateFields, rateLists } from '../console/src/operator/pages/homes/fields/rates.ts';
import {
  cancellationFields,
  cancellationLists,
  depositFields,
  partyFields,
  paymentFields,
  paymentLists,
  stayFields,
} from '../console/src/operator/pages/homes/fields/rules.ts';
import { CatalogListing } from '../src/contract/catalog-file.ts';

interface Schema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** The paths of all values of a schema; `*` is an item of a list. */
function pathsOf({ properties, items, anyOf }: Schema, path: string): string[] {
  if (properties) {
    return Object.entries(properties).flatMap(([name, inner]) => pathsOf(inner, `${path}/${name}`));
  }
  if (items && (items.properties || items.anyOf)) return pathsOf(items, `${path}/*`);
  if (anyOf?.some((each) => each.properties)) {
    return anyOf.flatMap((each) => (each.properties ? pathsOf(each, path) : []));
  }
  return [path];
}

const ofFields = (fields: readonly FieldOf[], path = ''): string[] =>
  fields.flatMap(({ name, needs = {} }) =>
    [name, ...Object.keys(needs)].map((each) => `${path}/${each}`),
  );

function ofList({ path, columns, more = [], forms = [], inner }: ListOf, at = ''): string[] {
  const item = `${at}/${path.join('/')}/*`;
  return [
    ...ofFields([...columns, ...more], item),
    ...forms.flatMap((form) => [
      ...ofFields(form.fields, item),
      // What a form sets by itself.
      ...Object.keys(form.item).map((name) => `${item}/${name}`),
      ...(form.inner ? ofList(form.inner, item) : []),
    ]),
    ...(inner ? ofList(inner, item) : []),
  ];
}

/** What the page has besides the tables: its identity, the choice of its collection, the pictures. */
const elsewhere = new Set([
  '/slug',
  '/listingId',
  '/collection',
  '/images/*/url',
  '/images/*/alt',
  '/images/*/file',
]);

suite('the form of a home', () => {
  test('has every member of the catalog file, and no other', () => {
    const lists = [
      ...contentLists,
      ...rateLists,
      ...chargeLists,
      ...paymentLists,
      ...cancellationLists,
    ];
    const shown = new Set([
      ...ofFields([...contentFields, ...addressFields, ...depositFields, ...cancellationFields]),
      ...ofFields(rateFields, '/rates'),
      ...ofFields(paymentFields, '/payment'),
      ...ofFields(stayFields, '/stayRules'),
      ...ofFields(partyFields, '/party'),
      ...lists.flatMap((list) => ofList(list)),
    ]);
    const wanted = new Set(pathsOf(CatalogListing as Schema, ''));
    const missing = [...wanted].filter((path) => !shown.has(path) && !elsewhere.has(path));
    assert.deepEqual(missing, []);
    const members = [...shown].filter(
      (path) => ![...wanted].some((each) => each === path || each.startsWith(`${path}/`)),
    );
    assert.deepEqual(members, []);
  });
});
