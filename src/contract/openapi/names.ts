/** Turns `invalid_input` or `webhook-id` into `InvalidInput` or `WebhookId`, as components are named. */
export const pascalCase = (name: string): string =>
  name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
