import type {
  ComponentsObject,
  HeaderObject,
  JsonObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from './document.ts';

interface Shareable {
  schemas: JsonObject;
  responses: ResponseObject;
  parameters: ParameterObject;
  headers: HeaderObject;
}

/** What is said once in the document and pointed to from everywhere else. */
export interface Components {
  /** Puts a component in its section and points to it. The same name is always the same content. */
  share<Section extends keyof Shareable>(
    section: Section,
    name: string,
    component: Shareable[Section],
  ): Reference;
  /** What was shared, by name. */
  shared(): Pick<ComponentsObject, keyof Shareable>;
}

const byName = <T>(section: ReadonlyMap<string, T>): Record<string, T> =>
  Object.fromEntries([...section].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Components of a new document. */
export function createComponents(): Components {
  const sections: { [Section in keyof Shareable]: Map<string, Shareable[Section]> } = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    headers: new Map(),
  };
  return {
    share(section, name, component) {
      const known = sections[section].get(name);
      if (known && JSON.stringify(known) !== JSON.stringify(component)) {
        throw new Error(`two different ${section} are called ${name}`);
      }
      sections[section].set(name, component);
      return { $ref: `#/components/${section}/${name}` };
    },
    shared: () => ({
      schemas: byName(sections.schemas),
      responses: byName(sections.responses),
      parameters: byName(sections.parameters),
      headers: byName(sections.headers),
    }),
  };
}
