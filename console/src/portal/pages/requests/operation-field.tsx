import { TextInput } from '@mantine/core';
import { useState } from 'react';

/** The filter by operation ID, applied on Enter or blur. */
export function OperationField({
  operation,
  onChoose,
}: {
  operation: string | undefined;
  onChoose: (operation: string | undefined) => void;
}) {
  const [text, setText] = useState(operation ?? '');
  const choose = () => {
    const entered = text.trim() || undefined;
    if (entered !== operation) onChoose(entered);
  };
  return (
    <TextInput
      label="Operation"
      placeholder="reservation.quote.create"
      size="xs"
      className="choice"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={choose}
      onKeyDown={({ key }) => key === 'Enter' && choose()}
    />
  );
}
