/** The pictures of the simulated homes: drawings that any page can show. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { picture } from '../../src/supply/index.ts';
import { simulatedCatalog } from '../../src/supply/simulation/catalog/index.ts';

const pictures = simulatedCatalog().listings.flatMap((listing) => listing.pictures);

function drawingAt(path: string): string {
  const drawing = picture(path);
  assert.ok(drawing, path);
  return drawing.toString('utf8');
}

/** A light check: tags close in order, attributes are quoted and said once, no bare `<` or `&`. */
function assertWellFormed(text: string, path: string): void {
  const open: string[] = [];
  const rest = text.replaceAll(/<(\/?)([\w]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/g, (...match) => {
    const [, closes, name, attributes, empty] = match as string[];
    const names = [...(attributes ?? '').matchAll(/\s([\w:-]+)=/g)].map(
      ([, attribute]) => attribute,
    );
    assert.equal(new Set(names).size, names.length, `${path}: ${name} says something twice`);
    if (closes) assert.equal(open.pop(), name, path);
    else if (!empty) open.push(name!);
    return '';
  });
  assert.deepEqual(open, [], path);
  assert.doesNotMatch(rest, /[<>]/, path);
  assert.doesNotMatch(text, /&(?!(amp|lt|gt|quot);)/, path);
}

describe('the pictures of the simulation', () => {
  it('are there for every picture of the catalog', () => {
    assert.ok(pictures.length >= 480);
    for (const { path } of pictures) drawingAt(path);
  });

  it('are small, and not empty', () => {
    for (const { path } of pictures) {
      const { length } = picture(path)!;
      assert.ok(length > 3000 && length <= 12_288, `${path}: ${length} bytes`);
    }
  });

  it('are well-formed, titled, and complete in themselves', () => {
    for (const { path, alt } of pictures) {
      const text = drawingAt(path);
      assertWellFormed(text, path);
      assert.match(
        text,
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 1200 800"[^>]* role="img">/,
      );
      assert.ok(text.includes(`<title>${alt.replaceAll('&', '&amp;')}</title>`), path);
      assert.doesNotMatch(
        text,
        /script|href|style=|onload|@import|foreignObject|NaN|undefined|Infinity/i,
        path,
      );
      const links = text.replace('http://www.w3.org/2000/svg', '');
      assert.doesNotMatch(links, /https?:/, path);
      for (const [, id] of text.matchAll(/url\(#(\w+)\)/g)) {
        assert.ok(text.includes(`id="${id}"`), `${path}: ${id}`);
      }
    }
  });

  it('are the same every time, and all different', () => {
    const digests = pictures.map(({ path }) => {
      const digest = createHash('sha256').update(drawingAt(path)).digest('hex');
      assert.equal(createHash('sha256').update(drawingAt(path)).digest('hex'), digest);
      return digest;
    });
    assert.equal(new Set(digests).size, pictures.length);
  });

  it('differ in more than their titles', () => {
    const untitled = pictures.map(({ path }) => drawingAt(path).replace(/<title>.*<\/title>/, ''));
    assert.equal(new Set(untitled).size, pictures.length);
  });

  it('answer nothing for any other path', () => {
    const [known] = pictures;
    const others = [
      '',
      '/',
      '/pictures/',
      '/pictures/casa-da-mare-baixa/0.svg',
      '/pictures/casa-da-mare-baixa/99.svg',
      '/pictures/casa-da-mare-baixa/1.png',
      '/pictures/../casa-da-mare-baixa/1.svg',
      '/pictures/nowhere/1.svg',
      `${known!.path}?size=2`,
      known!.path.toUpperCase(),
      '__proto__',
      'constructor',
    ];
    for (const path of others) assert.equal(picture(path), null, path);
  });
});
