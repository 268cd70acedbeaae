import { Badge } from '@mantine/core';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Environment } from '#contract/wire.ts';
import logo from '../latchkey.svg';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';

type Address = NonNullable<LinkProps['to']>;

/** A page of the navigation. */
export interface PageLink {
  to: Address;
  name: string;
  /** The pages of its group, with itself: they are shown while one of them is open. */
  group?: readonly PageLink[];
}

const mainId = 'main';
const environmentColors = { simulation: 'grape', test: 'indigo', live: 'red' } as const;

const within = (path: string, { to, group }: PageLink): boolean =>
  group
    ? group.some((one) => within(path, one))
    : path === to || (to !== '/' && path.startsWith(`${to}/`));

const Links = ({ pages, current }: { pages: readonly PageLink[]; current?: PageLink }) => (
  <ul>
    {pages.map((page) => (
      <li key={page.to}>
        <Link
          to={page.to}
          {...(page.group && { 'data-group': page === current })}
          activeOptions={{ exact: page.to === '/' || page.group !== undefined }}
        >
          {page.name}
        </Link>
      </li>
    ))}
  </ul>
);

/** The pages; where they are in groups, the groups, and below them the pages of the one that is open. */
function Navigation({ pages }: { pages: readonly PageLink[] }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const current = pages.find((page) => page.group && within(path, page));
  return (
    <>
      <Links pages={pages} {...(current && { current })} />
      {current?.group && current.group.length > 1 && <Links pages={current.group} />}
    </>
  );
}

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
            <span>Latchkey</span>
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
          <Navigation pages={pages} />
        </nav>
      </div>
    </header>
    <main id={mainId} tabIndex={-1} className="frame-row frame-main">
      {children}
    </main>
  </>
);
