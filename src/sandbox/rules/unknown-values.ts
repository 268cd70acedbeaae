type Body = Readonly<Record<string, unknown>>;

/** What does not exist in this wire version, in place of what does. */
const replacements: Readonly<Record<string, unknown>> = {
  state: 'sandbox_state',
  nextActions: ['sandbox_action'],
};

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEvent = (item: unknown): item is Body => isObject(item) && 'schemaVersion' in item;

/** An item of a list, as a later wire version could have it. An event gets a type. */
const unknownItem = (item: unknown): unknown =>
  isEvent(item)
    ? { ...item, type: 'sandbox.happened' }
    : isObject(item)
      ? unknownValues(item)
      : item;

/**
 * A response as a later wire version could have it: with a member, a state, an action and a type of events that do not
 * exist yet. Spec: SANDBOX-2.
 */
export function unknownValues(body: Body): Body {
  const changed = Object.entries(body).map(([name, value]) => {
    if (name in replacements) return [name, replacements[name]];
    if (name === 'items' && Array.isArray(value)) return [name, value.map(unknownItem)];
    return [name, value];
  });
  return { ...Object.fromEntries(changed), sandboxMember: { isNew: true } };
}
