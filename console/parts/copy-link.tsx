import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconLink } from '@tabler/icons-react'

/** Copies the address of the page, for a mail or a chat. */
export const CopyLink = ({ label }: { label: string }) => (
  <CopyButton value={location.href}>
    {({ copied, copy }) => (
      <ActionIcon variant="subtle" color="gray" aria-label={copied ? 'Copied' : label} title={label} onClick={copy}>
        {copied ? <IconCheck size={18} /> : <IconLink size={18} />}
      </ActionIcon>
    )}
  </CopyButton>
)
