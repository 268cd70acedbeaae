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

/** Parts of the document that are written once and referenced elsewhere. */
export interface Components {
  /** Stores a component and returns a reference to it. Throws if the name already has other content. */
  share<Section extends keyof Shareable>(
    section: Section,
    name: string,
    component: Shareable[Section],
  ): Reference;
  /** All shared components, sorted by name. */
  shared(): Pick<ComponentsObject, keyof Shareable>;
}

const byName = <T>(section: ReadonlyMap<string, T>): Record<string, T> =>
  Object.fromEntries([...section].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Creates the components of a new document. */
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
