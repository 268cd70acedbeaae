import { Anchor, Loader } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { basePath } from '../../../base-path.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { Notice } from '../../../base/components/notice.tsx';
import { completeAtProvider } from '../../frame/provider.ts';

const start = `${basePath}/operator`;

/** Where the OpenID provider sends the browser back to. */
export function Provider() {
  const { mutate, error } = useMutation({
    mutationFn: completeAtProvider,
    meta: { shown: true },
    onSuccess: () => window.location.replace(start),
  });
  useEffect(() => {
    // Development renders twice: the second time, the answer is no longer in the URL.
    if (window.location.search !== '') mutate();
    else window.location.replace(start);
  }, [mutate]);
  return (
    <Notice title={error ? 'You are not signed in' : 'Signing in'}>
      {error ? (
        <>
          <Failure error={error} />
          <Anchor href={start} size="sm">
            Try again
          </Anchor>
        </>
      ) : (
        <Loader size="sm" role="status" aria-label="Signing in" />
      )}
    </Notice>
  );
}
