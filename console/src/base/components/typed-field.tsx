import { TextInput } from '@mantine/core';
import { useState } from 'react';

/** A filter that is typed, applied on Enter or blur. */
export function TypedField({
  label,
  placeholder,
  value,
  onEnter,
}: {
  label: string;
  placeholder?: string;
  value: string | undefined;
  onEnter: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value ?? '');
  const enter = () => {
    const entered = text.trim() || undefined;
    if (entered !== value) onEnter(entered);
  };
  return (
    <TextInput
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      size="xs"
      className="choice"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={enter}
      onKeyDown={({ key }) => key === 'Enter' && enter()}
    />
  );
}
