import {
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCirclePlus,
  IconHourglassHigh,
  IconLoader2,
  IconPencil,
  IconPlayerPause,
  IconPlayerSkipForward,
  IconCircleX,
} from '@tabler/icons-react'

const SIGNS = {
  pending: { icon: IconCircleDashed, tone: 'idle' },
  running: { icon: IconLoader2, tone: 'busy' },
  waiting: { icon: IconHourglassHigh, tone: 'wait' },
  paused: { icon: IconPlayerPause, tone: 'wait' },
  completed: { icon: IconCircleCheck, tone: 'good' },
  failed: { icon: IconCircleX, tone: 'bad' },
  skipped: { icon: IconPlayerSkipForward, tone: 'idle' },
  cancelled: { icon: IconBan, tone: 'idle' },
  compensated: { icon: IconArrowBackUp, tone: 'wait' },
  open: { icon: IconHourglassHigh, tone: 'wait' },
  'timed out': { icon: IconHourglassHigh, tone: 'idle' },
  approved: { icon: IconCircleCheck, tone: 'good' },
  rejected: { icon: IconCircleX, tone: 'bad' },
  declined: { icon: IconBan, tone: 'idle' },
  ok: { icon: IconCircleCheck, tone: 'good' },
  failing: { icon: IconCircleX, tone: 'bad' },
  'over limit': { icon: IconHourglassHigh, tone: 'wait' },
  'target missing': { icon: IconCircleX, tone: 'bad' },
  fired: { icon: IconCircleCheck, tone: 'good' },
  limited: { icon: IconHourglassHigh, tone: 'wait' },
  'failed mapping': { icon: IconCircleX, tone: 'bad' },
  refused: { icon: IconBan, tone: 'bad' },
  added: { icon: IconCirclePlus, tone: 'good' },
  removed: { icon: IconCircleMinus, tone: 'bad' },
  changed: { icon: IconPencil, tone: 'wait' },
  answered: { icon: IconCircleCheck, tone: 'good' },
} as const

/** A status as sign, word and colour. */
export function Status({ status }: { status: string }) {
  const { icon: Icon, tone } = SIGNS[status as keyof typeof SIGNS] ?? { icon: IconCircleDashed, tone: 'idle' }
  return (
    <span className="status" data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden />
      {status}
    </span>
  )
}
