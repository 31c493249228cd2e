import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unsubscribeAll } from '../service/push.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { AccountButton } from './account-button.tsx'

const SCHEMES = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const

/** Menu with the current brain, the color scheme, and sign-out. */
export default function AccountMenu({ isOpenAtFirst }: { isOpenAtFirst: boolean }) {
  const { session, brainId, chooseBrain } = useSignedIn()
  return (
    <Menu defaultOpened={isOpenAtFirst} position="top-start" width={260} withinPortal={false}>
      <Menu.Target>
        <AccountButton />
      </Menu.Target>
      <Menu.Dropdown className="account-menu">
        <Menu.Label>
          {session.actor}, {session.role} of {session.workspace.slug}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Brain</Menu.Label>
        {session.brains.map(({ id, name }) => (
          <Menu.Item key={id} leftSection={<Mark isOn={id === brainId} />} onClick={() => chooseBrain(id)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <SchemeItems />
        <Menu.Divider />
        <SignOutItem />
      </Menu.Dropdown>
    </Menu>
  )
}

const Mark = ({ isOn }: { isOn: boolean }) => (
  <span className="menu-mark">{isOn && <IconCheck size={16} aria-label="chosen" />}</span>
)

function SchemeItems() {
  // Otherwise, Mantine would briefly stop transitions with a style element, which the content security policy
  // forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <>
      <Menu.Label>Color scheme</Menu.Label>
      {SCHEMES.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Mark isOn={value === colorScheme} />}
          rightSection={<Icon size={16} aria-hidden />}
          onClick={() => setColorScheme(value)}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  )
}

function SignOutItem() {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  const signOut = useMutation({
    mutationFn: async () => {
      await unsubscribeAll()
      await ganglion.session.end()
    },
    onSuccess: () => queryClient.resetQueries(),
  })
  return (
    <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
      Sign out
    </Menu.Item>
  )
}
