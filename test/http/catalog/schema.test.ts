import { Ajv2020 } from 'ajv/dist/2020.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { startTestService, type TestService } from '../../harness/service.ts';

suite('GET /catalog.schema.json', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  // Spec: FILE-12.
  test('is a JSON Schema that accepts the homes of the simulation, and no unknown member', async () => {
    const response = await fetch(`${service.origin}/catalog.schema.json`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/schema+json');
    const text = await response.text();
    assert.doesNotMatch(text, /"\$id"/, 'one name would stand in several places');
    const schema = JSON.parse(text) as object;
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const homes = JSON.parse(
      readFileSync(new URL('../../../src/simulation/homes.json', import.meta.url), 'utf8'),
    ) as object;
    assert.ok(validate(homes), JSON.stringify(validate.errors));
    assert.equal(validate({ ...homes, extra: 1 }), false);
    const tag = response.headers.get('etag') ?? '';
    const again = await fetch(response.url, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304);
  });
});
