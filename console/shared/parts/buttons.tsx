import type { Ganglion } from '@ganglion/client'
import { Button, type ButtonProps, ActionIcon, CopyButton } from '@mantine/core'
import { type IconProps, IconCheck, IconCopy } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useChange } from '../service/use-service.ts'
import { Failure } from './read.tsx'

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

export interface ChangeButtonProps extends Omit<ActionButtonProps, 'onClick'> {
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

interface CopyTextProps {
  text: string
  label: string
  icon?: typeof IconCopy
}

export const CopyText = ({ text, label, icon: Icon = IconCopy }: CopyTextProps) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={copied ? 'Copied' : label}
        title={label}
        onClick={copy}
      >
        {copied ? <IconCheck size={16} /> : <Icon size={16} />}
      </ActionIcon>
    )}
  </CopyButton>
)

/** A text that the service shows once. It leaves the page when this does. */
export const Secret = ({ label, text }: { label: string; text: string | undefined }) =>
  text === undefined ? null : (
    <div className="secret" role="status">
      <strong>{label}. Copy it now: it is not shown again.</strong>
      <span>
        <code>{text}</code> <CopyText text={text} label="Copy" />
      </span>
    </div>
  )
