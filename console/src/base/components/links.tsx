/** Router links in Mantine's style. */
import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type OfLink<Props> = Omit<ComponentPropsWithRef<'a'>, keyof Props> & Props;

const PlainAnchor = (props: OfLink<AnchorProps>) => <Anchor {...props} />;
const PlainButton = (props: OfLink<ButtonProps>) => <Button component="a" {...props} />;

/** A link in a text. */
export const TextLink = createLink(PlainAnchor);

/** A link that looks like a button, for the next step. */
export const ButtonLink = createLink(PlainButton);
