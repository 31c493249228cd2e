import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

interface CopyTextProps {
  text: string
  label: string
  icon?: typeof IconCopy
  /** Of the button and of its icon, in pixels. */
  size?: [button: number, icon: number]
}

export const CopyText = ({ text, label, icon: Icon = IconCopy, size: [size, iconSize] = [24, 16] }: CopyTextProps) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size}
        aria-label={copied ? 'Copied' : label}
        title={label}
        onClick={copy}
      >
        {copied ? <IconCheck size={iconSize} /> : <Icon size={iconSize} />}
      </ActionIcon>
    )}
  </CopyButton>
)
