import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import logo from '../../shared/latchkey.svg';
import { ColorSchemeSwitch } from '../../shared/parts/color-scheme-switch.tsx';

const mainId = 'main';

/** The pages of the navigation, in their order. */
const pages = [
  { to: '/calendar', name: 'Calendar' },
  { to: '/homes', name: 'Homes' },
  { to: '/channels', name: 'Channels' },
  { to: '/catalogs', name: 'Catalogs' },
  { to: '/promotions', name: 'Promotions' },
  { to: '/audit', name: 'Audit' },
] as const;

/** The layout of every page: navigation and colours. */
export const Frame = ({ children }: { children: ReactNode }) => (
  <>
    <a className="skip" href={`#${mainId}`}>
      Skip to content
    </a>
    <header className="frame-head">
      <div className="frame-row">
        <div className="frame-bar">
          <Link to="/audit" className="frame-name">
            <img src={logo} alt="" width={24} height={24} />
            Latchkey
          </Link>
          <ColorSchemeSwitch />
        </div>
        <nav className="frame-nav" aria-label="Console">
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
