import { alps } from './alps.ts';
import { cape } from './cape.ts';
import { highlands } from './highlands.ts';
import { kyoto } from './kyoto.ts';
import { maine } from './maine.ts';
import { portugal } from './portugal.ts';
import type { Family } from './shapes.ts';

/** The collections of the simulation, in their order. */
export const families: readonly Family[] = [portugal, alps, maine, kyoto, cape, highlands];
