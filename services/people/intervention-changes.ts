import { hashCanonical } from '../../data/shared/canonical-hash.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import type { NewHistoryEntry } from '../../data/people/intervention-changes-store.ts'
import type { InterventionPatch } from '../../data/people/interventions-store.ts'
import type { CountedVote } from '../../domain/people/evidence/statement.ts'
import { union } from '../../domain/people/handling.ts'
import type { HandlingEvent, Intervention, InterventionChange } from '../../domain/people/intervention.ts'

/** Merges changes into one patch per intervention, and collects their answers and history entries. */
export function mergeInterventionChanges(changes: InterventionChange[]): {
  patches: InterventionPatch[]
  votes: CountedVote[]
  history: NewHistoryEntry[]
} {
  const patches = new Map<string, InterventionPatch>()
  const votes: CountedVote[] = []
  const history: NewHistoryEntry[] = []
  for (const change of changes) {
    const id = change.change === 'opened' ? change.intervention.id : change.id
    const before = patches.get(id) ?? { id }
    patches.set(id, mergeChange(before, change))
    if (change.change === 'answered') votes.push({ ...change.vote, intervention_id: id, decides: change.decided })
    if ('handling' in change && change.handling) {
      const { handling, ...rest } = change
      history.push({ ...rest, intervention_id: id, revision: handling.revision })
    }
    if (change.change === 'reminded') history.push({ change: 'reminded', intervention_id: id, at: change.at })
  }
  return { patches: [...patches.values()], votes, history }
}

/** Merges a change without overwriting fields of earlier changes. */
function mergeChange(before: InterventionPatch, change: InterventionChange): InterventionPatch {
  switch (change.change) {
    case 'opened':
      return {
        ...change.intervention,
        shown_hash: shownHash(change.intervention),
        ...before,
        ...(change.intervention.excluded && {
          excluded: union(change.intervention.excluded, before.excluded ?? []),
        }),
        assignees: before.handling ? before.assignees : union(change.intervention.assignees, before.assignees ?? []),
      }
    case 'answered': {
      const { decided: isDecided, decision, vote } = change
      return isDecided ? { ...before, ...closing(before, 'decided', vote.at), decision: decision ?? vote } : before
    }
    case 'claimed':
    case 'released':
    case 'reassigned':
    case 'delegated':
    case 'escalated':
      return mergeHandling(before, change)
    case 'excluded':
      return { ...mergeHandling(before, change), excluded: union(before.excluded ?? [], change.excluded ?? []) }
    case 'timed_out':
    case 'cancelled':
      return { ...before, ...closing(before, change.change, change.at) }
    default:
      return before
  }
}

/** The state with the higher revision wins. Assignees without a revision are added. */
function mergeHandling(before: InterventionPatch, { assignees, handling }: HandlingEvent): InterventionPatch {
  const knownRevision = before.handling?.revision ?? 0
  if (!handling && knownRevision === 0) return { ...before, assignees: union(before.assignees ?? [], assignees) }
  return handling && handling.revision > knownRevision ? { ...before, assignees, handling } : before
}

const closing = (before: InterventionPatch, status: NonNullable<InterventionPatch['status']>, at: string) =>
  before.status ? {} : { status, closed_at: at }

/**
 * Returns the SHA-256 (hex) of the canonical JSON (RFC 8785) of an intervention's stored content. It proves what the
 * decision was based on. Absent fields are omitted. `due_at` is in UTC with milliseconds.
 */
export function shownHash(intervention: Intervention): string {
  const { kind, title, description, form, questions, context, node_id } = intervention
  const due_at = intervention.due_at && new Date(intervention.due_at).toISOString()
  const json = toStorableJson({ kind, title, description, form, questions, context, node_id, due_at })
  return hashCanonical(JSON.parse(json))
}
