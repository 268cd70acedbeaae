/** Writes the description of the provider's requests from the declarations of the installed package. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readDeclarations } from './read-declarations.ts';

const file = path.join(import.meta.dirname, 'description.json');
writeFileSync(file, `${JSON.stringify(readDeclarations(), null, 2)}\n`);
