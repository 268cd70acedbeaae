import { Anchor } from '@mantine/core';

/** The ID of a section that a table of contents leads to. */
export const sectionId = (title: string): string =>
  `section-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

/** Leads to the sections of a long page, each with `sectionId` of its title. */
export const Contents = ({ titles }: { titles: readonly string[] }) => (
  <nav className="contents" aria-label="On this page">
    <ul className="plain-list">
      {titles.map((title) => (
        <li key={title}>
          <Anchor size="sm" underline="always" href={`#${sectionId(title)}`}>
            {title}
          </Anchor>
        </li>
      ))}
    </ul>
  </nav>
);
