import { Code, List, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { memberTexts } from '#contract/catalog-file/change-text.ts';
import { notifyUndo } from '../../../base/components/notify.tsx';
import { counted } from '../../../base/words/plural.ts';
import { homes } from '../../api/homes.ts';
import type { ReplacedText } from '../../api/homes-types.ts';
import { ActForm } from '../../components/act-form.tsx';
import { wordsOfMember } from './home-form.tsx';

/** Which homes: those of the list. */
interface Shown {
  text: string | undefined;
  catalogId: string | undefined;
}

const shownHomes = 40;

/** Each text that changes, cut to where it differs. */
function ReplacePreview({ changed, changes }: ReplacedText) {
  if (changed === 0) return <Text size="sm">No home has this text.</Text>;
  const shown = changes.slice(0, shownHomes);
  const left = changed - shown.length;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {counted(changed, 'home')}
      </Text>
      <List size="sm" listStyleType="none">
        {shown.map(({ listing, name, members }) => (
          <List.Item key={listing} className="break">
            {name}
            <List size="xs" listStyleType="none">
              {memberTexts({ currency: null, members }).map(({ path, from, to }) => (
                <List.Item key={path} className="break" title={path}>
                  {wordsOfMember(path)}: <Code>{from}</Code> → <Code>{to}</Code>
                </List.Item>
              ))}
            </List>
          </List.Item>
        ))}
      </List>
      {left > 0 && (
        <Text size="sm" c="dimmed">
          … and {counted(left, 'more home', 'more homes')}
        </Text>
      )}
    </Stack>
  );
}

function ReplaceForm({ shown: { text, catalogId } }: { shown: Shown }) {
  const client = useQueryClient();
  const [find, setFind] = useState('');
  const [replaceWith, setReplaceWith] = useState('');
  const of = { ...(text && { text }), ...(catalogId && { catalogId }) };
  return (
    <ActForm
      act={{
        name: 'replace a text',
        input: find === '' || find === replaceWith ? null : { find, replaceWith, ...of },
        preview: homes.previewReplaceText,
        run: ({ reason: _, ...given }, { version }) =>
          homes.replaceText({ ...given, expectedVersion: version }),
        show: ReplacePreview,
        isPossible: ({ changed }) => changed > 0,
        label: 'Replace',
        done: ({ changed, changeId }) =>
          notifyUndo(`The text is replaced in ${counted(changed, 'home')}.`, async () => {
            await homes.undoReplaceText(changeId!);
            await client.invalidateQueries();
          }),
      }}
      fields={['/find']}
      reasonFor={null}
    >
      <Stack gap="sm">
        <Text size="sm">
          In names, texts, policies, rooms, amenities and picture texts of{' '}
          {text ? `the homes that match “${text}”` : 'all homes for sale'}. Upper and lower case
          count.
        </Text>
        <TextInput
          label="Find"
          value={find}
          maxLength={500}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget }) => setFind(currentTarget.value)}
        />
        <TextInput
          label="Replace with"
          value={replaceWith}
          maxLength={500}
          autoComplete="off"
          onChange={({ currentTarget }) => setReplaceWith(currentTarget.value)}
        />
      </Stack>
    </ActForm>
  );
}

/** Opens the dialog that replaces a text in all homes of the list. */
export const openReplaceText = (shown: Shown): void => {
  modals.open({
    title: 'Replace a text in many homes',
    size: 'lg',
    children: <ReplaceForm shown={shown} />,
  });
};
