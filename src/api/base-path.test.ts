import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basePathOf, belowBasePath } from './base-path.ts';

test('base path › is the path of the base URL without its last slash', () => {
  assert.equal(basePathOf('https://host.example'), '');
  assert.equal(basePathOf('https://host.example/homes/api'), '/homes/api');
  assert.equal(basePathOf('https://host.example/homes/'), '/homes');
});

const cases: [url: string, basePath: string, below: string][] = [
  ['/v1/site', '', '/v1/site'],
  ['/homes/v1/site?a=1', '/homes', '/v1/site?a=1'],
  ['/v1/site', '/homes', '/v1/site'],
  ['/homes', '/homes', '/'],
  ['/homes?a=1', '/homes', '/?a=1'],
  ['/homes/', '/homes', '/'],
  ['/homestead/v1', '/homes', '/homestead/v1'],
];
for (const [url, basePath, below] of cases) {
  test(`base path › ${url} below "${basePath}" is ${below}`, () => {
    assert.equal(belowBasePath(url, basePath), below);
  });
}
