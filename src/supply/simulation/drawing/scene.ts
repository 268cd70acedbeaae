/** What a picture of the catalog can show. The catalog names scenes in these words. */

/** Pictures taken outside. */
export type OutdoorSubject = 'house' | 'view' | 'pool' | 'terrace' | 'garden' | 'tub';

const indoorSubjects = [
  'bed',
  'twin',
  'bunk',
  'sofa',
  'fire',
  'kitchen',
  'table',
  'bath',
  'tatami',
  'futon',
  'desk',
] as const;
/** Pictures taken inside. */
export type IndoorSubject = (typeof indoorSubjects)[number];

/** What a picture shows. */
export type Subject = OutdoorSubject | IndoorSubject;

/** Whether a picture is taken inside; its surroundings are then seen through a window. */
export function isIndoor(subject: Subject): subject is IndoorSubject {
  return (indoorSubjects as readonly Subject[]).includes(subject);
}

/** The light that a picture is taken in. */
export type Hour = 'dawn' | 'day' | 'dusk' | 'night' | 'mist';

/** Where in the world; it chooses the palette and how things are built. */
export type Region = 'atlantic' | 'alpine' | 'maine' | 'kyoto' | 'cape' | 'highland';

/** What lies around the home. */
export type Setting =
  | 'coast'
  | 'meadow'
  | 'town'
  | 'peaks'
  | 'snow'
  | 'lake'
  | 'cove'
  | 'forest'
  | 'hills'
  | 'bamboo'
  | 'vines'
  | 'shore'
  | 'loch'
  | 'moor'
  | 'strand';

/** How the home is built. */
export type Building =
  | 'whitewash'
  | 'modern'
  | 'chalet'
  | 'stone'
  | 'shingle'
  | 'clapboard'
  | 'machiya'
  | 'minka'
  | 'gabled'
  | 'croft'
  | 'cabin'
  | 'townhouse'
  | 'tower';

/** What every picture of one home has in common. */
export interface Look {
  region: Region;
  setting: Setting;
  building: Building;
}

/** One picture of one home. `key` makes it differ from every other picture, always in the same way. */
export interface Scene extends Look {
  key: string;
  home: string;
  subject: Subject;
  hour: Hour;
  title: string;
}
