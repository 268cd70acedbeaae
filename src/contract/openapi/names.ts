/** Turns `invalid_input` or `webhook-id` into a component name: `InvalidInput`, `WebhookId`. */
export const pascalCase = (name: string): string =>
  name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
