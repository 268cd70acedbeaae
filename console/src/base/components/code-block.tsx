import { CodeHighlight, CodeHighlightAdapterProvider } from '@mantine/code-highlight';
import { highlighting } from './highlighting.ts';

// Long lines can be scrolled by the keyboard.
const attributes = {
  scrollarea: { viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Code' } },
};

/** Code with highlighting and a copy button. */
export const CodeBlock = ({ code, language }: { code: string; language: string }) => (
  <CodeHighlightAdapterProvider adapter={highlighting}>
    <CodeHighlight
      code={code}
      language={language}
      radius="sm"
      copyLabel="Copy"
      copiedLabel="Copied"
      attributes={attributes}
    />
  </CodeHighlightAdapterProvider>
);

/** A value as indented JSON. */
export const JsonBlock = ({ value }: { value: unknown }) => (
  <CodeBlock code={JSON.stringify(value, null, 2)} language="json" />
);
