import * as kinds from './flag-kinds.ts';

/** Names an application, wherever a command is about one. */
export const application = {
  kind: kinds.applicationId,
  required: true,
  description: 'The application, by its ID.',
} as const;
