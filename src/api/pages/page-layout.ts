/** The layout of every page: the document head and the navigation. */

/** The links of the navigation, in order. */
const places = [
  { name: 'Reference', path: '/docs' },
  { name: 'Guides', path: '/docs/guides' },
  { name: 'Portal', path: '/portal' },
] as const;

/** A page. `content` is HTML. */
export interface PageContent {
  title: string;
  content: string;
  /** The navigation link that is marked as current. */
  place?: (typeof places)[number]['name'];
  /** The CSS class of the body. */
  kind: 'home' | 'guide' | 'reference';
}

/** Escapes text for HTML. */
export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/**
 * Writes a page.
 *
 * @param base the path of the base URL, a prefix of every link; empty if it has none
 */
export function writePage(base: string, { title, content, place, kind }: PageContent): string {
  const links = places.map(({ name, path }) => {
    const current = name === place ? ' aria-current="true"' : '';
    return `<a href="${base}${path}"${current}>${name}</a>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)}</title>
    <link rel="icon" type="image/svg+xml" href="${base}/docs/latchkey.svg" />
    <link rel="stylesheet" href="${base}/docs/page.css" />
  </head>
  <body class="${kind}">
    <a class="skip" href="#content">Skip to the content</a>
    <header class="site-head">
      <a class="site-name" href="${base}/"><img src="${base}/docs/latchkey.svg" alt="" width="24" height="24" />Latchkey</a>
      ${links.join('\n      ')}
    </header>
    ${content}
  </body>
</html>
`;
}
