import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { passwordRule } from './new-password.ts';

interface FieldProps {
  value?: string;
  error?: ReactNode;
}

/** The fields of a new password, which is typed twice. */
export const PasswordFields = ({
  propsOf,
}: {
  propsOf: (name: 'password' | 'repeated') => FieldProps;
}) => (
  <>
    <PasswordInput
      label="New password"
      description={passwordRule}
      autoComplete="new-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      {...propsOf('password')}
    />
    <PasswordInput
      label="The same again"
      autoComplete="new-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': 'Show the repeated password', tabIndex: 0 }}
      {...propsOf('repeated')}
    />
  </>
);
