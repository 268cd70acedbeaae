import { operatorLimits } from '#contract/operator/limits.ts';
import { CallFailure } from '../../../base/api/call.ts';
import { homes } from '../../api/homes.ts';

/** A file that was not uploaded, and why. */
export interface FailedUpload {
  name: string;
  message: string;
}

const mostTries = 30;
const busyMs = 1_000;

const isBusy = (error: unknown): boolean =>
  error instanceof CallFailure && error.code === 'rate_limited';

/** Uploads a file, and waits while the service has others to do. */
async function uploadOne(file: File): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await homes.uploadPicture(file)).file;
    } catch (error) {
      if (!isBusy(error) || tries === mostTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, busyMs));
    }
  }
}

/** What is wrong with a file before it is sent; undefined: nothing that the page knows. */
function problemOf({ size }: File): string | undefined {
  if (size === 0) return 'is empty';
  const most = operatorLimits.pictureBytes;
  return size > most ? `has more than ${most / 1024 / 1024} MB` : undefined;
}

const messageOf = (error: unknown): string => {
  const [field] = error instanceof CallFailure ? error.fields : [];
  return field?.message ?? (error as Error).message;
};

/** Uploads files one after the other. Returns those that failed. */
export async function uploadEach(
  files: readonly File[],
  listener: { onUploaded: (file: string) => void; onEach: () => void },
): Promise<FailedUpload[]> {
  const failed: FailedUpload[] = [];
  for (const file of files) {
    try {
      const problem = problemOf(file);
      if (problem) failed.push({ name: file.name, message: problem });
      else listener.onUploaded(await uploadOne(file));
    } catch (error) {
      failed.push({ name: file.name, message: messageOf(error) });
    }
    listener.onEach();
  }
  return failed;
}
