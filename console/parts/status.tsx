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
import { toSpaced } from './names.ts'

/** The sign and the tone of statuses. */
const SIGNS: [icon: typeof IconBan, tone: string, ...statuses: string[]][] = [
  [IconCircleCheck, 'good', 'completed', 'approved', 'ok', 'fired', 'answered'],
  [IconCircleX, 'bad', 'failed', 'rejected', 'failing', 'target_missing', 'failed_mapping'],
  [IconHourglassHigh, 'wait', 'waiting', 'open', 'over_limit', 'limited'],
  [IconHourglassHigh, 'idle', 'timed_out'],
  [IconBan, 'idle', 'cancelled', 'declined'],
  [IconBan, 'bad', 'refused'],
  [IconLoader2, 'busy', 'running'],
  [IconPlayerPause, 'wait', 'paused'],
  [IconPlayerSkipForward, 'idle', 'skipped'],
  [IconArrowBackUp, 'wait', 'compensated'],
  [IconCirclePlus, 'good', 'added'],
  [IconCircleMinus, 'bad', 'removed'],
  [IconPencil, 'wait', 'changed'],
]
const BY_STATUS = new Map(SIGNS.flatMap(([icon, tone, ...statuses]) => statuses.map(one => [one, { icon, tone }])))
const OTHER = { icon: IconCircleDashed, tone: 'idle' }

/** A status as sign, words and colour. */
export function Status({ status }: { status: string }) {
  const { icon: Icon, tone } = BY_STATUS.get(status) ?? OTHER
  return (
    <span className="status" data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden />
      {toSpaced(status)}
    </span>
  )
}
