import { Button, type ButtonProps } from '@mantine/core'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType } from 'react'

export interface ActionButtonProps extends Pick<ButtonProps, 'loading' | 'children'> {
  icon: ComponentType<IconProps>
  /** Of what the button opens. */
  isOpen?: boolean
  onClick: () => void
}

/** A small button with a sign. */
export const ActionButton = ({ icon: Icon, isOpen, ...props }: ActionButtonProps) => (
  <Button size="xs" variant="default" leftSection={<Icon size={16} aria-hidden />} aria-expanded={isOpen} {...props} />
)
