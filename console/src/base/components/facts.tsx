import type { ReactNode } from 'react';

/** A list of names and values; entries without a value are omitted. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }) => (
  <dl className="facts">
    {Object.entries(facts)
      .filter(
        ([, value]) => value !== undefined && value !== null && value !== false && value !== '',
      )
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="break">{value}</dd>
        </div>
      ))}
  </dl>
);
