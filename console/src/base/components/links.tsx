/** Router links in Mantine's style. */
import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { createLink, useRouter } from '@tanstack/react-router';
import type { ComponentPropsWithRef, MouseEvent } from 'react';

type OfLink<Props> = Omit<ComponentPropsWithRef<'a'>, keyof Props> & Props;

const PlainAnchor = (props: OfLink<AnchorProps>) => <Anchor {...props} />;
const PlainButton = (props: OfLink<ButtonProps>) => <Button component="a" {...props} />;

/** A link in a text. */
export const TextLink = createLink(PlainAnchor);

interface ListedLinkProps {
  href: string;
  className?: string;
  children: string;
}

/** A link that looks like a button, for the next step. */
export const ButtonLink = createLink(PlainButton);

const opensElsewhere = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  metaKey || ctrlKey || shiftKey || altKey;

/**
 * A link in a list of thousands: it costs little more than its element, because it asks the router only when it is
 * followed. `href` is the whole path.
 */
export function ListedLink({ href, className = '', children }: ListedLinkProps) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    router.history.push(href);
  };
  return (
    <a href={href} className={`link ${className}`} onClick={follow}>
      {children}
    </a>
  );
}
