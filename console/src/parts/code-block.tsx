import { CodeHighlight } from '@mantine/code-highlight';

/** Text to read and to copy, as it is. */
export const CodeBlock = ({ code, language }: { code: string; language: string }) => (
  <CodeHighlight
    code={code}
    language={language}
    radius="sm"
    copyLabel="Copy"
    copiedLabel="Copied"
  />
);

/** A value as indented JSON. */
export const JsonBlock = ({ value }: { value: unknown }) => (
  <CodeBlock code={JSON.stringify(value, null, 2)} language="json" />
);
