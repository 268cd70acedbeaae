import type { Readable } from 'node:stream';
import { refuse, RefusalError } from '../../contract/errors.ts';

/** A stored file while it is read. */
export interface StoredFile {
  /** In bytes; null: not known before its end. */
  size: number | null;
  content: Readable;
}

/** Stores files by name. A name has letters, digits, `-`, `_`, `/` and one dot. Every function throws `StorageError`. */
export interface FileStorage {
  /** Stores a file as a whole or not at all, in place of one with the same name. */
  write(name: string, content: Buffer, mediaType: string): Promise<void>;
  /** Null: there is no such file. */
  read(name: string): Promise<StoredFile | null>;
  /** Removes a file, if there is one. */
  remove(name: string): Promise<void>;
  /** Removes what processes that died while they wrote have left. */
  removeParts(): Promise<void>;
}

/** The files cannot be read or written now: `unavailable`. */
export class StorageError extends RefusalError {
  override readonly name = 'StorageError';

  constructor(message: string, cause?: unknown) {
    super(refuse('unavailable'));
    this.message = message;
    if (cause !== undefined) this.cause = cause;
  }
}
