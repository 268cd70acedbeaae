/** Serves the Markdown guides and rules of the project as pages, with working links between them. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { escaped, writePage } from './page-layout.ts';

/** The guides, by readers and in order. The URL of a guide contains its file name. */
export const guideFiles = {
  'For partner developers': [
    'docs/guides/first-booking.md',
    'docs/guides/search.md',
    'docs/guides/errors-and-retries.md',
    'docs/guides/card-payments.md',
    'docs/guides/simulation.md',
    'docs/guides/events.md',
    'docs/guides/webhooks.md',
    'docs/guides/generated-types.md',
    'docs/guides/keeping-a-copy.md',
    'docs/guides/going-live.md',
  ],
  'For operators': [
    'docs/guides/running.md',
    'docs/guides/own-homes.md',
    'docs/guides/console-homes.md',
    'docs/guides/catalog-files.md',
    'docs/guides/taxes-and-rules.md',
    'docs/guides/reservations-team.md',
    'docs/guides/accounts.md',
    'docs/guides/partners.md',
    'docs/guides/reservations.md',
    'docs/guides/payments.md',
    'docs/guides/channel-calendars.md',
    'docs/command-line.md',
    'docs/guides/staff.md',
    'docs/guides/portal.md',
    'docs/guides/webhook-operations.md',
    'docs/guides/records.md',
    'docs/guides/backups.md',
    'docs/guides/upgrading.md',
    'docs/guides/logs.md',
    'docs/guides/metrics.md',
    'docs/guides/tracing.md',
    'docs/guides/runbooks.md',
    'docs/guides/states.md',
    'docs/guides/retention.md',
  ],
} as const;

const guidesPath = '/docs/guides';
const rulesPath = '/docs/rules';
const ruleIndex = 'docs/rules/README.md';
const nameOf = (file: string): string => path.posix.basename(file, '.md');
const files: readonly string[] = Object.values(guideFiles).flat();

/** The files of the rules, their index included. */
const ruleFiles = (project: string): readonly string[] =>
  globSync('docs/rules/*.md', { cwd: project })
    .map((file) => file.replaceAll(path.sep, '/'))
    .toSorted();

/** The path of a file's page; null: it is not served. */
function pageOf(file: string): string | null {
  if (file === ruleIndex) return rulesPath;
  if (/^docs\/rules\/[\w-]+\.md$/.test(file)) return `${rulesPath}/${nameOf(file)}`;
  return files.includes(file) ? `${guidesPath}/${nameOf(file)}` : null;
}

interface Guide {
  file: string;
  title: string;
  markdown: string;
}

/** The title of a guide. */
export const guideTitle = (project: string, file: string): string => readGuide(project, file).title;

/** The Markdown of each guide and of the rules, by its path. Read at the start, so that a missing file stops it. */
export const guideTexts = (project: string): readonly (readonly [string, string])[] =>
  [...files, ...ruleFiles(project)].map((file) => [
    `${pageOf(file)}.md`,
    readFileSync(path.join(project, file), 'utf8'),
  ]);

function readGuide(project: string, file: string): Guide {
  const markdown = readFileSync(path.join(project, file), 'utf8');
  const [, title = nameOf(file)] = /^# (.+)$/m.exec(markdown) ?? [];
  return { file, title, markdown };
}

/** The URL of a file's link on this service; null: the target is not served. */
function addressOf(base: string, file: string, href: string): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const linked = path.posix.join(path.posix.dirname(file), target);
  const page = pageOf(linked);
  if (page === null) return null;
  return `${base}${page}${anchor === undefined ? '' : `#${anchor}`}`;
}

function contents(base: string, guides: readonly Guide[], current: Guide | null): string {
  const entry = ({ file, title }: Guide): string =>
    `<li><a href="${base}${pageOf(file)}"${file === current?.file ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
  return Object.entries({ ...guideFiles, 'For everybody': [ruleIndex] })
    .map(([readers, listed]) => {
      const entries = guides.filter(({ file }) => (listed as readonly string[]).includes(file));
      return `<h2>${readers}</h2>\n<ul>${entries.map(entry).join('\n')}</ul>`;
    })
    .join('\n');
}

/** A page of a single Markdown text that is no guide. */
export async function markdownPage(base: string, title: string, markdown: string): Promise<string> {
  const { htmlOf } = await import('./guide-markdown.ts');
  const html = htmlOf(markdown, {
    addressOf: (href) => addressOf(base, 'CHANGELOG.md', href),
    pictureOf: (href) => href,
  });
  return writePage(base, {
    title: `${title} · Latchkey`,
    place: 'Guides',
    kind: 'guide',
    content: `<main id="content">${html}</main>`,
  });
}

/** Reads the guides and rules. Returns a function for each page, by its path. */
export function guidePages(
  project: string,
  base: string,
): ReadonlyMap<string, () => Promise<string>> {
  const guides = [...files, ...ruleFiles(project)].map((file) => readGuide(project, file));
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
      pictureOf: (href) => `${base}${guidesPath}/${href}`,
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
    [guidesPath, overview],
    ...guides.map((guide): [string, () => Promise<string>] => [
      pageOf(guide.file) ?? guidesPath,
      () => pageFor(guide),
    ]),
  ]);
}
