import { Badge } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Environment } from '../../../../src/contract/wire.ts';
import logo from '../latchkey.svg';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';

type Address = NonNullable<LinkProps['to']>;

/** A page of the navigation. */
export interface PageLink {
  to: Address;
  name: string;
}

const mainId = 'main';
const environmentColors = { simulation: 'grape', test: 'indigo', live: 'red' } as const;

/** The layout of every page: whose it is, the environment, links, a button to leave, the navigation. */
export const PageLayout = ({
  home,
  owner,
  environment,
  isCopy,
  links,
  leave,
  navigation,
  pages,
  children,
}: {
  home: Address;
  owner?: string;
  environment: Environment;
  /** The service calls nothing outside. */
  isCopy: boolean;
  links: ReactNode;
  leave: ReactNode;
  /** The name of the navigation, for those who do not see it. */
  navigation: string;
  pages: readonly PageLink[];
  children: ReactNode;
}) => (
  <>
    <a className="skip" href={`#${mainId}`}>
      Skip to content
    </a>
    <header className="frame-head">
      <div className="frame-row">
        <div className="frame-bar">
          <Link to={home} className="frame-name">
            <img src={logo} alt="" width={24} height={24} />
            Latchkey
          </Link>
          <div className="frame-application">
            {owner !== undefined && <span>{owner}</span>}
            <Badge
              size="sm"
              radius="sm"
              variant="outline"
              tt="none"
              color={environmentColors[environment]}
              className="badge"
            >
              {environment}
            </Badge>
            {isCopy && (
              <Badge size="sm" radius="sm" tt="none" color="orange" className="badge">
                Copy: calls nothing outside
              </Badge>
            )}
          </div>
          <div className="frame-help">{links}</div>
          <ColorSchemeSwitch />
          {leave}
        </div>
        <nav className="frame-nav" aria-label={navigation}>
          <ul>
            {pages.map(({ to, name }) => (
              <li key={to}>
                <Link to={to}>{name}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
    <main id={mainId} tabIndex={-1} className="frame-row frame-main">
      {children}
    </main>
  </>
);
