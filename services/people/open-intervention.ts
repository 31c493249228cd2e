import type { InterventionRecord } from '../../data/people/interventions-store.ts'
import type { OpenIntervention } from '../../domain/people/answering.ts'
import type { Intervention } from '../../domain/people/intervention.ts'

/** An ended run accepts no answers. */
export const markClosed = (open: OpenIntervention): OpenIntervention => ({
  ...open,
  closed: open.closed ?? 'cancelled',
})

/** Builds an intervention's state from its record. */
export function toOpenIntervention(record: InterventionRecord): OpenIntervention {
  const { decision, votes, status } = record
  return {
    intervention: {
      ...record,
      description: record.description ?? undefined,
      questions: record.questions ?? undefined,
    } as unknown as Intervention,
    votes,
    decision: decision ?? undefined,
    closed: status === 'open' ? undefined : status,
    handling: record.handling ?? undefined,
  }
}
