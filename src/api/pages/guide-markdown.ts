/** Writes the Markdown of a guide as HTML. */
import { Marked, type RendererObject, type Tokens } from 'marked';
import { createRequire } from 'node:module';
import { escaped } from './page-layout.ts';

/** The used part of highlight.js. Its own types would add the browser types to the whole server. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string }): { value: string };
}

const require = createRequire(import.meta.url);
const highlighter = require('highlight.js/lib/core') as Highlighter;
for (const name of ['bash', 'javascript', 'json', 'python', 'sql', 'xml']) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}

/** Where the links of a guide lead on this service. */
export interface GuideLinks {
  /** Null: the target is not served. */
  addressOf(href: string): string | null;
  pictureOf(href: string): string;
}

/** The anchor of a heading, in the same form as on GitHub, so that links work in both. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

function highlighted({ text, lang = '' }: Tokens.Code): string {
  // What a block shows is behind its language.
  const [language = ''] = lang.split(' ', 1);
  return highlighter.getLanguage(language)
    ? highlighter.highlight(text, { language }).value
    : escaped(text);
}

const rendererFor = ({ addressOf, pictureOf }: GuideLinks): RendererObject => ({
  heading({ tokens, depth, text }) {
    const anchor = anchorOf(text);
    const inner = this.parser.parseInline(tokens);
    const link = `<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
    return `<h${depth} id="${anchor}">${inner}${depth > 1 ? link : ''}</h${depth}>\n`;
  },
  link({ href, tokens }) {
    const inner = this.parser.parseInline(tokens);
    const address = addressOf(href);
    if (address === null) return inner;
    const rel = /^[a-z]+:/.test(address) ? ' rel="noreferrer"' : '';
    return `<a href="${escaped(address)}"${rel}>${inner}</a>`;
  },
  image: ({ href, text }) =>
    `<img src="${escaped(pictureOf(href))}" alt="${escaped(text)}" loading="lazy" />`,
  code: (token) => `<pre tabindex="0"><code>${highlighted(token)}</code></pre>\n`,
});

const scrollableTables = (html: string): string =>
  html
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');

/** Writes a guide as HTML, with anchors, highlighted code and tables that scroll. */
export const htmlOf = (markdown: string, links: GuideLinks): string =>
  scrollableTables(new Marked({ renderer: rendererFor(links) }).parse(markdown, { async: false }));
