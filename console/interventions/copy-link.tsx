import { IconLink } from '@tabler/icons-react'
import { CopyText } from '../parts/copy-text.tsx'

/** Copies the address of an intervention, for a mail or a chat. */
export const CopyLink = ({ interventionId, label }: { interventionId: string; label: string }) => (
  <CopyText text={`${location.origin}/console/inbox/${interventionId}`} label={label} icon={IconLink} size={[28, 18]} />
)
