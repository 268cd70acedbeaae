import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import {
  hashKey,
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CallFailure } from '../../base/api/call.ts';
import { operatorLimits } from '#contract/operator/limits.ts';
import { Failure } from '../../base/components/failure.tsx';
import { failureBeside, fieldErrors } from '../../base/components/field-errors.ts';
import { useStepUp } from '../frame/step-up.tsx';
import { notifyDone } from '../../base/components/notify.tsx';
import { Loaded } from '../../base/components/loaded.tsx';

const typingMs = 300;
const none: readonly string[] = [];
const noErrors: ReadonlyMap<string, string> = new Map();

const isOvertaken = (error: Error): boolean =>
  error instanceof CallFailure && error.code === 'precondition_failed';

/** A dialog looks for what it focuses when it opens: what is read later focuses itself, unless something has the focus. */
const focusLate = (field: HTMLInputElement | null): void => {
  if (!document.activeElement?.closest('form')) field?.focus();
};

/** Something that staff do after they have seen what it will do. */
interface Act<Input extends object, Shown, Done> {
  /** Identifies it, for the cache of previews. */
  name: string;
  /** Null: the fields are not complete. */
  input: Input | null;
  preview: (input: Input) => Promise<Shown>;
  /** Does it. Gets the input that was previewed, and what the preview has shown: version, price, balance. */
  run: (input: Input & { reason: string }, preview: Shown) => Promise<Done>;
  show: (preview: Shown) => ReactNode;
  /** Whether what the preview shows can be done; absent: always. */
  isPossible?: (preview: Shown) => boolean;
  /** Says what the button does. */
  label: string;
  /** What is said when it is done, or what follows, of the input that was sent. */
  done: string | ((result: Done, input: Input) => void);
  color?: string;
}

/** An input, and what its preview has shown. */
interface Previewed<Input, Shown> {
  input: Input;
  shown: Shown;
}

/** The fields of an act, a preview that follows them, the reason, and the button that does it. */
export function ActForm<Input extends object, Shown, Done>({
  act,
  fields = none,
  reasonFor = 'For staff only; it is in the audit trail.',
  suggestedReason = '',
  onClose = modals.closeAll,
  children,
}: {
  act: Act<Input, Shown, Done>;
  /** The paths of the members whose errors the fields show. */
  fields?: readonly string[];
  /** Who sees the reason; null: none is asked for. */
  reasonFor?: string | null;
  /** The reason that is there at first. */
  suggestedReason?: string;
  /** Absent: every dialog is closed. */
  onClose?: () => void;
  children?: ReactNode | ((errors: ReadonlyMap<string, string>) => ReactNode);
}) {
  const [reason, setReason] = useState(suggestedReason);
  // Where nothing else is missing, it is what is typed.
  const [isReasonFirst] = useState(act.input !== null && suggestedReason === '');
  const [isAsked, setAsked] = useState(false);
  const [settled] = useDebouncedValue(act.input, typingMs);
  const confirmed = useStepUp();
  const client = useQueryClient();
  const preview = useQuery({
    queryKey: ['preview', act.name, settled],
    // With what was previewed, so that nothing else can be sent.
    queryFn: async ({ queryKey: [, , input] }) => ({
      input: input as Input,
      shown: await act.preview(input as Input),
    }),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    // The action is sent with the values of its preview, so the preview stays the same if the answer is lost.
    staleTime: Infinity,
  });
  const running = useMutation({
    mutationFn: ({
      previewed,
      reason: why,
    }: {
      previewed: Previewed<Input, Shown>;
      reason: string;
    }) => confirmed(() => act.run({ ...previewed.input, reason: why }, previewed.shown)),
    meta: { shown: true },
    onError: (error) => {
      if (isOvertaken(error)) void client.invalidateQueries();
    },
    onSuccess: (result, { previewed }) => {
      onClose();
      if (typeof act.done === 'string') notifyDone(act.done);
      else act.done(result, previewed.input);
    },
  });
  // What was just typed is not sent before its own preview was shown.
  const isSettled = hashKey([settled]) === hashKey([act.input]);
  const isShown = isSettled && preview.isSuccess && !preview.isPlaceholderData;
  const previewed = act.input !== null && isShown ? preview.data : null;
  const isReady = previewed !== null && (act.isPossible?.(previewed.shown) ?? true);
  const errors = isSettled ? fieldErrors(preview.error) : noErrors;
  const notShown = failureBeside(preview.error, fields);
  const isOfThisInput = hashKey([running.variables?.previewed.input]) === hashKey([act.input]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if ((reasonFor === null || reason.trim() !== '') && isReady && !running.isPending)
          running.mutate({ previewed, reason: reason.trim() });
      }}
    >
      <Stack gap="md">
        {typeof children === 'function' ? children(errors) : children}
        {act.input !== null && (
          <div aria-live="polite">
            {notShown && <Failure error={notShown} onRetry={() => void preview.refetch()} />}
            {!preview.isError && <Loaded query={preview}>{({ shown }) => act.show(shown)}</Loaded>}
          </div>
        )}
        {reasonFor !== null && (
          <TextInput
            label="Reason"
            description={reasonFor}
            {...(isReasonFirst && { ref: focusLate, 'data-autofocus': true })}
            maxLength={operatorLimits.reasonLength}
            autoComplete="off"
            required
            value={reason}
            error={isAsked && reason.trim() === '' && 'Enter a reason'}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
        {running.error && isOfThisInput && !preview.isError && <Failure error={running.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            type="submit"
            {...(act.color !== undefined && { color: act.color })}
            loading={running.isPending}
            disabled={!isReady}
          >
            {act.label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Opens the dialog of an act that needs no more than a reason. `about` says what it does. */
export function openReasonDialog({
  title,
  about,
  run,
  label,
  done,
}: {
  title: string;
  about: string;
  run: (reason: string) => Promise<unknown>;
  label: string;
  done: string;
}): void {
  modals.open({
    title,
    children: (
      <ActForm
        act={{
          name: title,
          input: {},
          preview: async () => null,
          run: ({ reason }) => run(reason),
          show: () => <Text size="sm">{about}</Text>,
          label,
          done,
        }}
      />
    ),
  });
}
