import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { preparedName } from './prepared-name.ts';

describe('the name of a prepared statement', () => {
  it('is its own, with its variant', () => {
    assert.equal(preparedName({ name: 'find-events' }), 'find-events');
    assert.equal(preparedName({ name: 'find-events', variant: 'type' }), 'find-events-type');
  });

  it('is never longer than PostgreSQL keeps, and differs where the whole differs', () => {
    const variant = 'disputes-parts-kept-unmatched effects-unknown returns';
    const [one, other] = [variant, `${variant} and more`].map((text) =>
      preparedName({ name: 'count-attention', variant: text }),
    );
    assert.equal(one!.length, 63);
    assert.equal(other!.length, 63);
    assert.notEqual(one, other);
  });
});
