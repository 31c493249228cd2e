import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

export const CopyText = ({ text, label }: { text: string; label: string }) => (
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
        {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    )}
  </CopyButton>
)
