import type { Ganglion } from '@ganglion/client'
import { Button, type ButtonProps, ActionIcon, CopyButton } from '@mantine/core'
import { type IconProps, IconCheck, IconCopy } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useChange } from '../service/use-service.ts'
import { Failure } from './read.tsx'

export interface ActionButtonProps extends Pick<ButtonProps, 'loading' | 'disabled' | 'children'> {
  /** Omitted on buttons next to list rows. */
  icon?: ComponentType<IconProps>
  /** Accessible name, if several buttons have the same text. */
  label?: string
  /** Whether the controlled content is open. */
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
  /** The first part of the query keys to reload. */
  name: string
  send: (ganglion: Ganglion) => PromiseLike<unknown>
  onDone?: () => void
}

/** A small button that sends a change, and shows why it failed. */
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

/** A secret that the service shows only once. The secret disappears when the person leaves the page. */
export const Secret = ({ label, text }: { label: string; text: string | undefined }) =>
  text === undefined ? null : (
    <div className="secret" role="status">
      <strong>{label}. Copy it now. It will not be shown again.</strong>
      <span>
        <code>{text}</code> <CopyText text={text} label="Copy" />
      </span>
    </div>
  )
