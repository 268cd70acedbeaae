import {
  ActionIcon,
  Alert,
  Button,
  FileButton,
  Group,
  List,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconArrowUp, IconPhoto, IconTrash } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { operatorLimits } from '#contract/operator/limits.ts';
import { basePath } from '../../../base-path.ts';
import { sectionId } from '../../../base/components/contents.tsx';
import { Section } from '../../../base/components/section.tsx';
import { counted } from '../../../base/words/plural.ts';
import type { HomeContent } from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';
import { uploadEach, type FailedUpload } from './upload-each.ts';
import type { Problems } from './values.ts';

type Images = NonNullable<HomeContent['images']>;
type Picture = Images[number];

const accepted = 'image/jpeg,image/png,image/webp';

/** The small file of an upload; another file as it is. Null: on another host, from which the page loads nothing. */
const thumbnailOf = (picture: Picture): string | null =>
  'file' in picture ? `${basePath}/${picture.file.replace(/-1920\.jpg$/, '-480.jpg')}` : null;

function Thumbnail({ picture }: { picture: Picture }) {
  const source = thumbnailOf(picture);
  return (
    <div className="picture-thumbnail">
      {source ? (
        <img src={source} alt={picture.alt} loading="lazy" />
      ) : (
        <IconPhoto size={32} aria-hidden />
      )}
    </div>
  );
}

interface Row {
  picture: Picture;
  position: number;
  problems: Problems;
  onChange: (picture: Picture) => void;
  onUp: () => void;
  onRemove: () => void;
}

/** A picture: what it is, its text, and its position. */
function PictureRow({ picture, position, problems, onChange, onUp, onRemove }: Row) {
  const at = position - 1;
  return (
    <div className="home-item" role="group" aria-label={`Pictures ${position}`}>
      <Thumbnail picture={picture} />
      <Stack gap={4} className="home-item-parts">
        <TextInput
          label="What it shows"
          maxLength={operatorLimits.altLength}
          value={picture.alt}
          error={problems.get(`/images/${at}/alt`)}
          onChange={({ currentTarget: { value } }) => onChange({ ...picture, alt: value })}
        />
        {'url' in picture ? (
          <TextInput
            label="Address"
            value={picture.url}
            error={problems.get(`/images/${at}/url`) ?? problems.get(`/images/${at}`)}
            onChange={({ currentTarget: { value } }) => onChange({ ...picture, url: value })}
          />
        ) : (
          <Text size="xs" c="dimmed" className="break">
            {picture.file}
          </Text>
        )}
      </Stack>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          disabled={at === 0}
          aria-label={`Move picture ${position} up`}
          onClick={onUp}
        >
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={`Remove picture ${position}`}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </div>
  );
}

/** Uploads files one after the other. The draft gets each as soon as it is stored. */
function useUploads(onUploaded: (picture: Picture) => void) {
  const [left, setLeft] = useState(0);
  const [failed, setFailed] = useState<readonly FailedUpload[]>([]);
  const upload = async (files: readonly File[]) => {
    setFailed([]);
    setLeft((before) => before + files.length);
    const failures = await uploadEach(files, {
      onUploaded: (file) => onUploaded({ file, alt: '' }),
      onEach: () => setLeft((before) => before - 1),
    });
    setFailed((before) => [...before, ...failures]);
  };
  return { left, failed, upload };
}

/** The pictures of a home, in their order. An upload is stored at once; the home has it when it is saved. */
export function Pictures({
  images,
  problems,
  onChange,
}: {
  images: Images;
  problems: Problems;
  onChange: (next: (images: Images) => Images) => void;
}) {
  const { left, failed, upload } = useUploads((picture) =>
    onChange((before) => [...before, picture]),
  );
  const canAct = useMay('inventory');
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (canAct) void upload([...event.dataTransfer.files]);
  };
  return (
    <div onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Section
        id={sectionId('Pictures')}
        title="Pictures"
        about="In their order. The first one is shown in lists. Choose or drop JPEG, PNG or WebP files. Location data is removed."
        actions={
          <Group gap="xs">
            <FileButton multiple accept={accepted} onChange={(files) => void upload(files)}>
              {(props) => (
                <Button size="xs" {...props} loading={left > 0}>
                  Upload pictures
                </Button>
              )}
            </FileButton>
            <Button
              size="xs"
              variant="default"
              onClick={() => onChange((before) => [...before, { url: 'https://', alt: '' }])}
            >
              Add an address
            </Button>
          </Group>
        }
      >
        <Stack gap="sm">
          <div aria-live="polite">
            {left > 0 && <Text size="sm">Uploading: {counted(left, 'picture')} left.</Text>}
          </div>
          {failed.length > 0 && (
            <Alert color="red" variant="light" title="Not uploaded" role="alert">
              <List size="sm">
                {failed.map(({ name, message }, at) => (
                  // oxlint-disable-next-line react/no-array-index-key -- two files can have one name
                  <List.Item key={`${name} ${at}`} className="break">
                    {name}: {message}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          {images.map((picture, at) => (
            <PictureRow
              // oxlint-disable-next-line react/no-array-index-key -- a home can have a picture twice
              key={at}
              picture={picture}
              position={at + 1}
              problems={problems}
              onChange={(next) => onChange((before) => before.with(at, next))}
              onUp={() =>
                onChange((before) => before.with(at, before[at - 1]!).with(at - 1, picture))
              }
              onRemove={() => onChange((before) => before.toSpliced(at, 1))}
            />
          ))}
        </Stack>
      </Section>
    </div>
  );
}
