import { browserOf } from '../words/user-agent.ts';

/** The browser of a session, with what it calls itself on demand. */
export function BrowserName({ userAgent }: { userAgent: string }) {
  const known = browserOf(userAgent);
  if (known === null) return <span className="break">{userAgent || 'Unknown'}</span>;
  return (
    <details>
      <summary>{known}</summary>
      <span className="break">{userAgent}</span>
    </details>
  );
}
