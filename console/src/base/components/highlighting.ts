/** Highlighting of code, for the languages that the pages show. */
import { createHighlightJsAdapter } from '@mantine/code-highlight';
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import plaintext from 'highlight.js/lib/languages/plaintext';
import python from 'highlight.js/lib/languages/python';

const languages = { bash, http, javascript, json, plaintext, python };
for (const [name, language] of Object.entries(languages)) {
  highlighter.registerLanguage(name, language);
}

/** Highlights the code blocks of a page. */
export const highlighting = createHighlightJsAdapter(highlighter);
