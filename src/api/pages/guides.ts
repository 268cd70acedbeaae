/** Serves the documents for each kind of reader as pages, with working links between them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escaped, writePage } from './page-layout.ts';

/** The kinds of readers. Each has a folder below `docs`, whose index `README.md` names its documents in order. */
export const audiences = {
  partners: 'For partner developers',
  operators: 'For operators',
  'reservations-team': 'For the reservations team',
  rules: 'For everybody',
  contributors: 'For contributors',
  adr: 'Records of decisions',
} as const;
type Audience = keyof typeof audiences;

const audienceNames = Object.keys(audiences) as Audience[];
const indexOf = (audience: string): string => `docs/${audience}/README.md`;
const overviewPath = '/docs/guides';
const nameOf = (file: string): string => path.posix.basename(file, '.md');
const textOf = (project: string, file: string): string =>
  readFileSync(path.join(project, file), 'utf8');

/** The documents of an audience, in the order of its index. The index itself is not one of them. */
export function guideFiles(project: string, audience: Audience): readonly string[] {
  const links = textOf(project, indexOf(audience)).matchAll(/\]\(([\w-]+\.md)\)/g);
  return [...new Set([...links].map(([, name = '']) => `docs/${audience}/${name}`))];
}

/** The indexes and all documents. */
const allFiles = (project: string): readonly string[] =>
  audienceNames.flatMap((audience) => [indexOf(audience), ...guideFiles(project, audience)]);

const security = 'SECURITY.md';

/** The addresses of the committed documents, by their files. */
export const committedDocuments = {
  'openapi.json': '/openapi.json',
  'portal-openapi.json': '/portal/openapi.json',
  'operator-openapi.json': '/operator/openapi.json',
  'release-manifest.json': '/release-manifest.json',
} as const;

const otherPages: Readonly<Record<string, string>> = {
  ...committedDocuments,
  [security]: '/docs/security',
};

/** The path of a file's page; null: it is not served. */
function pageOf(file: string): string | null {
  if (Object.hasOwn(otherPages, file)) return otherPages[file]!;
  const [, folder = '', name = ''] = /^docs\/([\w-]+)\/([\w-]+)\.md$/.exec(file) ?? [];
  if (!(folder in audiences)) return null;
  return name === 'README' ? `/docs/${folder}` : `/docs/${folder}/${name}`;
}

/** Guides that were merged into another. */
const merged: Readonly<Record<string, string>> = {
  'reservations-team': '/docs/reservations-team/reservations',
  portal: '/docs/operators/partners',
};

/** Where the pages and texts of guides were before each audience had a folder, and where they are. */
export function movedGuides(project: string): readonly (readonly [string, string])[] {
  const pages = Object.fromEntries(
    (['contributors', 'reservations-team', 'operators', 'partners'] as const).flatMap((audience) =>
      guideFiles(project, audience).map((file) => [nameOf(file), pageOf(file)!]),
    ),
  );
  return Object.entries({ ...pages, ...merged }).flatMap(([name, to]) =>
    ['', '.md'].map((end) => [`${overviewPath}/${name}${end}`, `${to}${end}`] as const),
  );
}

interface Guide {
  file: string;
  title: string;
  markdown: string;
}

/** The title of a guide. */
export const guideTitle = (project: string, file: string): string => readGuide(project, file).title;

/** Code, of which nothing is changed, or a link that is not a picture. */
const codeOrLink = /```.*?```|`[^`\n]*`|(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/gs;

/** Markdown with links that work at its address on this service. What is not served is no link. */
const servedText = (file: string, address: string, markdown: string): string =>
  markdown.replaceAll(codeOrLink, (whole, text?: string, href?: string) => {
    if (href === undefined || isAbsolute(href)) return whole;
    const { page, anchor } = linkedFrom(file, href);
    if (page === null) return text ?? '';
    const end = page.endsWith('.json') ? '' : '.md';
    return `[${text}](${path.posix.relative(path.posix.dirname(address), page)}${end}${anchor})`;
  });

/** The Markdown of each document, by its path. Read at the start, so that a missing file stops it. */
export const guideTexts = (project: string): readonly (readonly [string, string])[] =>
  [...allFiles(project), security].map((file) => {
    const address = `${pageOf(file)}.md`;
    return [address, servedText(file, address, textOf(project, file))];
  });

function readGuide(project: string, file: string): Guide {
  const markdown = textOf(project, file);
  const [, title = nameOf(file)] = /^# (.+)$/m.exec(markdown) ?? [];
  return { file, title, markdown };
}

const isAbsolute = (href: string): boolean => /^(?:[a-z]+:|#)/.test(href);

/** The page to which a link of a file leads, and the anchor with its sign. */
function linkedFrom(file: string, href: string): { page: string | null; anchor: string } {
  const [target = '', ...anchor] = href.split(/(?=#)/);
  const linked = path.posix.join(path.posix.dirname(file), target);
  return { page: pageOf(linked), anchor: anchor.join('') };
}

/** The URL of a file's link on this service; null: the target is not served. */
function addressOf(base: string, file: string, href: string): string | null {
  if (isAbsolute(href)) return href;
  const { page, anchor } = linkedFrom(file, href);
  return page === null ? null : `${base}${page}${anchor}`;
}

/** Of these only the index is among the contents, because there are many. */
const many: ReadonlySet<Audience> = new Set(['rules', 'adr']);

/** The documents by their readers. */
function contents(base: string, guides: readonly Guide[], current: Guide | null): string {
  const entry = ({ file, title }: Guide): string =>
    `<li><a href="${base}${pageOf(file)}"${file === current?.file ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
  return audienceNames
    .map((audience) => {
      const entries = guides.filter(({ file }) =>
        many.has(audience) ? file === indexOf(audience) : file.startsWith(`docs/${audience}/`),
      );
      return `<h2>${audiences[audience]}</h2>\n<ul>${entries.map(entry).join('\n')}</ul>`;
    })
    .join('\n');
}

const changes = 'CHANGELOG.md';

/** The changelog, with links that work at its address. */
export const changelogText = (markdown: string): string =>
  servedText(changes, '/changelog.md', markdown);

/** A page of a single Markdown text that is no guide. */
export async function markdownPage(base: string, title: string, markdown: string): Promise<string> {
  const { htmlOf } = await import('./guide-markdown.ts');
  const html = htmlOf(markdown, {
    addressOf: (href) => addressOf(base, changes, href),
    pictureOf: (href) => href,
  });
  return writePage(base, {
    title: `${title} · Latchkey`,
    place: 'Guides',
    kind: 'guide',
    content: `<main id="content">${html}</main>`,
  });
}

/** Reads the documents. Returns a function for each page, by its path. */
export function guidePages(
  project: string,
  base: string,
): ReadonlyMap<string, () => Promise<string>> {
  const guides = allFiles(project).map((file) => readGuide(project, file));
  const overview = async (): Promise<string> =>
    writePage(base, {
      title: 'Guides · Latchkey',
      place: 'Guides',
      kind: 'home',
      content: `<main id="content"><h1>Guides</h1>\n${contents(base, guides, null)}</main>`,
    });
  const pageFor = async (guide: Guide): Promise<string> => {
    // Its libraries are loaded with the first guide that somebody reads.
    const { htmlOf } = await import('./guide-markdown.ts');
    const html = htmlOf(guide.markdown, {
      addressOf: (href) => addressOf(base, guide.file, href),
      pictureOf: (href) => `${base}/${path.posix.join(path.posix.dirname(guide.file), href)}`,
    });
    return writePage(base, {
      title: `${guide.title} · Latchkey`,
      place: 'Guides',
      kind: 'guide',
      content: `<div class="columns">
      <main id="content">${html}</main>
      <nav class="contents" aria-label="Guides">${contents(base, guides, guide)}</nav>
    </div>`,
    });
  };
  return new Map([
    [overviewPath, overview],
    ...guides.map((guide): [string, () => Promise<string>] => [
      pageOf(guide.file) ?? overviewPath,
      () => pageFor(guide),
    ]),
  ]);
}
