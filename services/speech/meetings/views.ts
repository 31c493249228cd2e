import type { MeetingDocument } from '../../../domain/resources/kinds/meetings.ts'
import type { ResourceView } from '../../resources/types.ts'
import type { MeetingView } from './types.ts'

export function presentMeeting({ document, ...head }: ResourceView): MeetingView {
  const { transcript: _, ...fields } = document as MeetingDocument
  return { ...head, type: 'meetings', ...fields }
}
