import { Alert, Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { lazyRouteComponent } from '@tanstack/react-router';
import { useState } from 'react';
import { CallFailure } from '../api/call.ts';
import { Failure } from './failure.tsx';

/** The code of a page could not be loaded. */
class NotLoaded extends Error {
  readonly isReachable: boolean;

  constructor(isReachable: boolean) {
    super('The code of the page could not be loaded');
    this.isReachable = isReachable;
  }
}

const canBeReached = (): Promise<boolean> =>
  fetch(window.location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * A page whose code is loaded when it is opened. If it cannot be loaded, the document is not loaded again: what
 * was typed elsewhere on it would be lost.
 */
export const latePage = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch {
      throw new NotLoaded(await canBeReached());
    }
  }, name);

/** A browser remembers which code it could not load, so only the whole document is loaded again. */
function LoadAgain({ error }: { error: NotLoaded }) {
  const [isReachable, setReachable] = useState(error.isReachable);
  const load = async (): Promise<void> => {
    if (await canBeReached()) window.location.reload();
    else setReachable(false);
  };
  if (!isReachable) {
    return <Failure error={new CallFailure(0, undefined)} onRetry={() => void load()} />;
  }
  return (
    <Alert
      variant="light"
      icon={<IconRefresh size={18} aria-hidden />}
      title="A new version of Latchkey is available"
      role="alert"
    >
      <Text size="sm">Latchkey has been upgraded since you opened it.</Text>
      <Button size="xs" variant="default" mt="xs" onClick={() => void load()}>
        Load the new version
      </Button>
    </Alert>
  );
}

/** Stands in place of a page, or a part of it, that cannot be shown. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  if (error instanceof NotLoaded) return <LoadAgain error={error} />;
  return (
    <Failure
      error={error instanceof Error ? error : new Error('The page could not be shown')}
      onRetry={reset}
    />
  );
}
