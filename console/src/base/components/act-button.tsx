import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { askFirst, type Question } from './ask-first.tsx';
import { notifyDone } from './notify.tsx';

/** A small button that does one thing, after the question if there is one. What fails is shown as a notification. */
export function ActButton<Result>({
  act,
  question,
  done,
  ...button
}: Omit<ButtonProps, 'loading'> & {
  act: () => Promise<Result>;
  question?: Question;
  /** What is said when it is done, or what follows. */
  done?: string | ((result: Result) => void | Promise<void>);
  'aria-label'?: string;
}) {
  const { mutate, isPending } = useMutation({
    mutationFn: act,
    onSuccess: (result) => (typeof done === 'string' ? notifyDone(done) : done?.(result)),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      {...button}
      loading={isPending}
      onClick={() => (question ? askFirst(question, mutate) : mutate())}
    />
  );
}
