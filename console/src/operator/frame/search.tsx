import { Button, Kbd, Loader, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { operatorLimits } from '#contract/operator/limits.ts';
import { Failure } from '../../base/components/failure.tsx';
import { searchQuery } from '../api/search.ts';
import { type Result, resultsOf } from './results.ts';

const typedMs = 250;
const options = { 'aria-haspopup': 'dialog' } as const;

function ResultLine({
  id,
  result: { name, about, href },
  isSelected,
  onChoose,
}: {
  id: string;
  result: Result;
  isSelected: boolean;
  onChoose: () => void;
}) {
  return (
    <div
      id={id}
      role="option"
      aria-label={`${name} ${about}`}
      aria-selected={isSelected}
      className="search-result"
    >
      <a
        href={href}
        tabIndex={-1}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onChoose();
        }}
      >
        <span>{name}</span>
        <Text component="span" size="xs" c="dimmed">
          {about}
        </Text>
      </a>
    </div>
  );
}

const Hint = () => (
  <Text size="sm" c="dimmed">
    Words of a guest’s name, a phone number, an email address, a reference as you have heard it, a
    home, a partner. Add a day to narrow it: <i>14.8.</i>, <i>tomorrow</i>. Guests are found by
    whole words.
  </Text>
);

/** Finds by what somebody says on the phone, and opens what is chosen. */
function SearchForm({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [settled] = useDebouncedValue(text.trim(), typedMs);
  const router = useRouter();
  const client = useQueryClient();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const query = useQuery({ ...searchQuery(settled), enabled: settled !== '' });
  const results = settled === '' || !query.data ? [] : resultsOf(query.data);
  const selected = Math.min(at, results.length - 1);

  const open = (result: Result | undefined) => {
    if (!result) return;
    onDone();
    router.history.push(result.href);
  };
  /** Opens what is selected, or the first of what the text finds as it is now. */
  const openNow = async () => {
    const wanted = text.trim();
    if (wanted === '') return;
    if (wanted === settled && query.data) return open(results[selected]);
    const found = await client.fetchQuery(searchQuery(wanted)).catch(() => undefined);
    if (found) open(resultsOf(found)[0]);
  };
  const step = (by: number) => {
    const next = Math.max(0, Math.min(results.length - 1, selected + by));
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <>
      <TextInput
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- what is typed right after `/` belongs here, and the dialog focuses later
        autoFocus
        data-autofocus
        aria-label="Search for a guest, reservation, home or partner"
        role="combobox"
        aria-expanded={results.length > 0}
        aria-controls={listId}
        aria-activedescendant={results.length > 0 ? `${listId}-${selected}` : undefined}
        placeholder="Guest, phone, reference, home, partner …"
        autoComplete="off"
        spellCheck={false}
        maxLength={operatorLimits.searchTextLength}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={query.isFetching ? <Loader size="xs" aria-label="Searching" /> : undefined}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void openNow();
          else if (event.key === 'ArrowDown') step(1);
          else if (event.key === 'ArrowUp') step(-1);
          else return;
          event.preventDefault();
        }}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Found" className="search-results">
        {results.map((result, index) => (
          <ResultLine
            key={result.key}
            id={`${listId}-${index}`}
            result={result}
            isSelected={index === selected}
            onChoose={() => open(result)}
          />
        ))}
      </div>
      <div aria-live="polite">
        {query.error && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {settled !== '' && query.data && (
          <>
            {query.data.stays.length === 0 && query.data.notSearched.length === 0 && (
              <Text size="sm">
                {results.length === 0 ? `Nothing matches “${settled}”. ` : 'No guest. '}
                Guests are found by whole words of the name.
              </Text>
            )}
            {query.data.notSearched.map((one) => (
              <Text key={one} size="sm">
                Not searched: {one}
              </Text>
            ))}
            {(query.data.moreStays || query.data.moreHomes) && (
              <Text size="sm" c="dimmed">
                There is more. Add a word or a day.
              </Text>
            )}
          </>
        )}
      </div>
      {settled === '' && <Hint />}
    </>
  );
}

/** The one search: a button in the head of each page, and the key `/`. */
export function Search() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([['/', open]]);
  return (
    <>
      <Button
        {...options}
        variant="default"
        size="compact-sm"
        className="search-button"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          <Kbd size="xs" className="search-key">
            /
          </Kbd>
        }
        onClick={open}
      >
        <span className="frame-word">Search</span>
      </Button>
      <Modal opened={isOpen} onClose={close} title="Search" size="lg" className="search">
        <SearchForm onDone={close} />
      </Modal>
    </>
  );
}
