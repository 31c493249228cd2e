import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconLink } from '@tabler/icons-react'

/** Copies the address of an intervention, for a mail or a chat. */
export const CopyLink = ({ interventionId, label }: { interventionId: string; label: string }) => (
  <CopyButton value={`${location.origin}/console/inbox/${interventionId}`}>
    {({ copied, copy }) => (
      <ActionIcon variant="subtle" color="gray" aria-label={copied ? 'Copied' : label} title={label} onClick={copy}>
        {copied ? <IconCheck size={18} /> : <IconLink size={18} />}
      </ActionIcon>
    )}
  </CopyButton>
)
