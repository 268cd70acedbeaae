/** Makes what joined-typebox.ts uses. The image of the service has no bundler, so nothing that serves imports this. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { joinedEntries, joinedFolder } from './joined-typebox.ts';

/** Joins the files of TypeBox, unless that is done. */
export async function joinTypebox(): Promise<void> {
  const folder = joinedFolder();
  if (existsSync(folder)) return;
  const { build } = await import('vite');
  const unfinished = `${folder}.${process.pid}`;
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      minify: false,
      outDir: unfinished,
      rolldownOptions: {
        input: joinedEntries,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}
