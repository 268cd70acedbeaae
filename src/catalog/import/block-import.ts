/** The port to the inventory, which has the nights of an import. */

import type { Executor } from '../../platform/postgres/database.ts';

/** A block of a file. */
export interface StagedBlock {
  /** Its index in the file, and its line. */
  at: number;
  line: number;
  listingId: string;
  from: string;
  to: string;
  reason: string | null;
}

/** A block that an import adds or removes. */
export interface ImportedBlock {
  listingId: string;
  from: string;
  to: string;
  reason: string | null;
}

/** Some blocks: the first of them, and how many there are. */
export interface SomeBlocks<T = ImportedBlock> {
  count: number;
  first: T[];
}

/** What an import does to blocks. */
export interface BlockChanges {
  added: SomeBlocks;
  /** Only their reason changes. */
  changed: SomeBlocks;
  removed: SomeBlocks;
  /** Blocks on nights that are taken. */
  collisions: SomeBlocks<{ at: number; line: number; message: string }>;
}

/** Imports blocks within the transaction of an import. */
export interface BlockImport {
  begin(executor: Executor): Promise<void>;
  stage(executor: Executor, blocks: readonly StagedBlock[]): Promise<void>;
  /**
   * `replaceIn`: removes the other blocks from files of the listings that this catalog sells.
   * `described`: how many blocks of each kind are returned.
   */
  apply(executor: Executor, replaceIn: string | null, described: number): Promise<BlockChanges>;
}
