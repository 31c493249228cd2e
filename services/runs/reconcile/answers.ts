import type { JobVote } from '../../../data/runs/reconcile-store.ts'
import type { AnswerInput } from '../../../workflows/shared/run/messages.ts'
import type { RunRecord } from './read-run.ts'

export interface AnswerDifferences {
  /** Answers that the run counted, and that Postgres does not have. */
  notRecorded: RunRecord['answers']
  /** Recorded answers that the run has not counted. */
  notCounted: JobVote[]
}

/** Compares the answers of one run. Each author answers a task at most once. */
export function compareAnswers(run: RunRecord, votes: JobVote[]): AnswerDifferences {
  const recorded = new Set(votes.map(({ intervention_id, statement }) => `${intervention_id} ${statement.vote.by}`))
  const counted = new Set(run.answers.map(({ interventionId, by }) => `${interventionId} ${by}`))
  return {
    notRecorded: run.answers.filter(({ interventionId, by }) => !recorded.has(`${interventionId} ${by}`)),
    // Without the whole history, an answer may have been counted in the missing part.
    notCounted:
      run.isComplete && run.isReadable
        ? votes.filter(({ intervention_id, statement }) => !counted.has(`${intervention_id} ${statement.vote.by}`))
        : [],
  }
}

/** Rebuilds a recorded answer as it was sent to the run. Returns undefined if a purge removed its texts. */
export function rebuildAnswer({ intervention_id, statement, texts }: JobVote): AnswerInput | undefined {
  const { vote, credential, request_id, digests } = statement
  const { action, by: actor, person, on_behalf_of, answered_as } = vote
  const { comment, data, answers } = (texts ?? {}) as Pick<AnswerInput, 'comment' | 'data' | 'answers'>
  const hasTexts = texts !== null || !['comment', 'data', 'answers'].some(name => Object.hasOwn(digests, name))
  if (!hasTexts) return undefined
  const isGroup = answered_as !== undefined && answered_as !== actor && answered_as !== on_behalf_of
  return {
    interventionId: intervention_id,
    action,
    ...(comment !== undefined && { comment }),
    ...(data !== undefined && { data }),
    ...(answers !== undefined && { answers }),
    by: {
      actor,
      groups: isGroup ? [answered_as] : [],
      ...(person !== undefined && { person }),
      people: [...new Set([person ?? actor, actor])],
      ...(on_behalf_of !== undefined && { stands_in_for: [on_behalf_of] }),
      ...(credential && { via: { key_id: credential.id, ...(request_id !== null && { request_id }) } }),
    },
  }
}
