import type { Ganglion } from '@ganglion/client'
import { Button, type ButtonProps } from '@mantine/core'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useChange } from '../service/use-service.ts'
import { Failure } from './failure.tsx'

export interface ActionButtonProps extends Pick<ButtonProps, 'loading' | 'disabled' | 'children'> {
  /** A button beside what the row of a list says has none. */
  icon?: ComponentType<IconProps>
  /** Names the button where several are alike. */
  label?: string
  /** Of what the button opens. */
  isOpen?: boolean
  onClick: () => void
}

/** A small button. */
export const ActionButton = ({ icon: Icon, label, isOpen, ...props }: ActionButtonProps) => (
  <Button
    variant="default"
    aria-label={label}
    aria-expanded={isOpen}
    {...(Icon ? { size: 'xs', leftSection: <Icon size={16} aria-hidden /> } : { size: 'compact-sm', fz: 'xs' })}
    {...props}
  />
)

interface ChangeButtonProps extends Omit<ActionButtonProps, 'onClick'> {
  /** What the change concerns: the first name of the queries to read again. */
  name: string
  send: (ganglion: Ganglion) => PromiseLike<unknown>
  onDone?: () => void
}

/** A small button that changes something, and says why that failed. */
export function ChangeButton({ name, send, onDone, ...props }: ChangeButtonProps) {
  const change = useChange(name, send, onDone)
  return (
    <>
      <ActionButton loading={change.isPending} onClick={() => change.mutate()} {...props} />
      {change.error && <Failure error={change.error} />}
    </>
  )
}
