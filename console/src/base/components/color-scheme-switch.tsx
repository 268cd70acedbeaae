import { ActionIcon, Tooltip, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun, type Icon } from '@tabler/icons-react';

const schemes: Readonly<
  Record<MantineColorScheme, { name: string; icon: Icon; next: MantineColorScheme }>
> = {
  auto: { name: 'system', icon: IconDeviceDesktop, next: 'light' },
  light: { name: 'light', icon: IconSun, next: 'dark' },
  dark: { name: 'dark', icon: IconMoon, next: 'auto' },
};

/** Switches between the system's colours, light and dark. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { name, icon: SchemeIcon, next } = schemes[colorScheme];
  const label = `Colours: ${name}. Change to ${schemes[next].name}`;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        onClick={() => setColorScheme(next)}
      >
        <SchemeIcon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
