import type { Intervention } from '@ganglion/client'
import { Checkbox } from '@mantine/core'
import { IconCircleCheck, IconClipboardList, IconHelpCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { describeStatus, Due } from './interventions/state.tsx'
import { Status, When } from '../shared/parts/inline.tsx'
import { Person } from '../shared/parts/person.tsx'

const ICONS = { approval: IconCircleCheck, form: IconClipboardList, questions: IconHelpCircle }

interface InboxItemProps {
  item: Intervention
  isChosen: boolean
  /** Whether the task is selected for a bulk answer. */
  isPicked: boolean
  onPick?: (id: string) => void
}

/** A task in the list, as a link. Forms can only be answered individually. */
export function InboxItem({ item, isChosen, isPicked, onPick }: InboxItemProps) {
  const { interventionId, kind, title, root_job, status, due_at, opened_at, closed_at, quorum, approvals, claimed_by } =
    item
  const link = useRef<HTMLAnchorElement>(null)
  const Icon = ICONS[kind]
  useEffect(() => {
    if (isChosen) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <div className="item-row">
      {onPick && (
        <Checkbox
          size="md"
          aria-label={`Choose ${title}`}
          disabled={kind === 'form'}
          checked={isPicked}
          onChange={() => onPick(interventionId)}
        />
      )}
      <Link ref={link} to="/inbox/$interventionId" params={{ interventionId }} search={true} className="item">
        <Icon size={18} stroke={1.7} aria-label={kind} />
        <span className="item-text">
          <span className="item-title">{title}</span>
          <span className="item-note">
            {root_job?.title}
            {root_job && (
              <>
                {' · '}
                <Person actor={root_job.requester} />
              </>
            )}
          </span>
          <span className="item-note">
            {status === 'open' ? <Due due={due_at} openedAt={opened_at} /> : <Status status={describeStatus(item)} />}
            {status !== 'open' && closed_at && <When time={closed_at} />}
            {claimed_by && (
              <>
                {' · claimed by '}
                <Person actor={claimed_by} />
              </>
            )}
            {status === 'open' && quorum > 1 && ` · ${approvals} of ${quorum}`}
          </span>
        </span>
      </Link>
    </div>
  )
}
