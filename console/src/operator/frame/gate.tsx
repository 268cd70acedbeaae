import { Alert, Modal } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { Failure } from '../../base/components/failure.tsx';
import { TextLink } from '../../base/components/links.tsx';
import { Notice } from '../../base/components/notice.tsx';
import { sessionQuery } from '../api/session.ts';
import type { Session } from '../api/types.ts';
import { Covered } from './covered.tsx';
import { Frame } from './frame.tsx';
import { CurrentSession } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { StepUpProvider } from './step-up.tsx';

/**
 * Shows the pages to a member of staff with a session, and to others how to sign in. The pages stay open
 * below the dialog after a session has ended, so that nobody loses what was typed.
 */
export function Gate() {
  const client = useQueryClient();
  const query = useQuery(sessionQuery);
  const session = query.data;
  const [last, setLast] = useState<Session | undefined>();
  if (session && session !== last) setLast(session);
  const shown = session ?? last;

  const open = (begun: Session): void => {
    client.setQueryData(sessionQuery.queryKey, begun);
    // Somebody else may see other things.
    if (last && last.staffId !== begun.staffId) window.location.reload();
    else void client.invalidateQueries();
  };

  if (shown) {
    return (
      <CurrentSession value={shown}>
        <StepUpProvider session={shown}>
          {/* Dialogs can contain links, and what needs a step-up. */}
          <Covered isCovered={session === null}>
            <ModalsProvider>
              <Frame session={shown}>
                {shown.mustAddSecondFactor && (
                  <Alert color="orange" title="A second factor is required" mb="md">
                    Add one on <TextLink to="/account">your account</TextLink>: until then nothing
                    else can be used.
                  </Alert>
                )}
                <Outlet />
              </Frame>
            </ModalsProvider>
          </Covered>
          <Modal
            opened={session === null}
            onClose={() => undefined}
            withCloseButton={false}
            title="Your session has ended"
          >
            <SignInForm email={shown.email} onSignedIn={open} />
          </Modal>
        </StepUpProvider>
      </CurrentSession>
    );
  }
  if (session === undefined) {
    if (!query.isError) return undefined;
    return (
      <Notice title="The console is not available">
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      </Notice>
    );
  }
  return (
    <Notice title="Sign in">
      <SignInForm onSignedIn={open} />
    </Notice>
  );
}
