import type { Signature, VoteStatement } from '../../domain/people/evidence/statement.ts'
import type { Handling, HistoryChange } from '../../domain/people/handling.ts'
import type { WorkingCalendar } from '../../domain/people/working-time.ts'
import type { InterventionKind, Question, Vote } from '../../domain/people/intervention.ts'
import type { JsonObject, JsonSchema } from '../../domain/shared/json/json.ts'
import { defineTable, generated, integer, json, nullable, primary, text, texts, time, uuid } from '../shared/table.ts'

/** Interventions: questions that runs ask people, with the outcome. */
export const interventionsTable = defineTable('interventions', {
  workspace_id: primary(uuid()),
  id: primary(text()),
  job_id: text(),
  root_job_id: text(),
  node_key: nullable(text()),
  node_id: nullable(text()),
  kind: nullable(text<InterventionKind>()),
  title: nullable(text()),
  description: nullable(text()),
  form: nullable(json<JsonSchema>()),
  questions: nullable(json<Question[]>()),
  /** Data shown to the person next to the text. */
  context: nullable(json()),
  assignees: texts(),
  quorum: nullable(integer()),
  /** People who must not decide. Empty if everyone may decide. */
  excluded: texts(),
  due_at: nullable(time()),
  /** Null until the opening arrives, because changes can arrive in any order. */
  opened_at: nullable(time()),
  status: text<'open' | 'decided' | 'timed_out' | 'cancelled'>(),
  closed_at: nullable(time()),
  decision: nullable(json<Vote>()),
  /** SHA-256 (hex) of the content shown to the person. */
  shown_hash: nullable(text()),
  /** The handling revision, the claim and the delegations. Null until the handling first changes. */
  handling: nullable(json<Handling>()),
})

/** The history of an intervention: changes to the people who handle it, reminders and comments. */
export const interventionChangesTable = defineTable('intervention_changes', {
  workspace_id: uuid(),
  id: primary(uuid()),
  intervention_id: text(),
  /** The handling revision after the change. Null for a comment. */
  revision: nullable(integer()),
  change: text<HistoryChange>(),
  /** Null for changes made by the run. */
  actor: nullable(text()),
  person: nullable(text()),
  /** The assignees after the change. Null for a comment. */
  assignees: nullable(texts()),
  comment: nullable(text()),
  at: time(),
})

/**
 * Votes as signed statements. Votes outlive their run, so they have no foreign key to it. The app can insert and read
 * rows (app-role.ts), but the database sets recorded_at.
 */
export const interventionVotesTable = defineTable('intervention_votes', {
  workspace_id: primary(uuid()),
  intervention_id: primary(text()),
  /** Starts at 1 for each intervention. */
  seq: primary(integer()),
  job_id: text(),
  recorded_at: time(),
  /** Contains only salted hashes of texts, never the texts. */
  statement: json<VoteStatement>(),
  /** Null if the worker had no signing key. */
  signature: nullable(json<Signature>()),
  actor: generated(text()),
  person: generated(nullable(text())),
  /** The absent assignee on whose behalf a substitute answered. */
  on_behalf_of: generated(nullable(text())),
})

/** The texts of votes. A purge removes them. */
export const voteTextsTable = defineTable('vote_texts', {
  workspace_id: primary(uuid()),
  intervention_id: primary(text()),
  /**
   * The `seq` of the vote. Row 0 contains the salts for the content shown to all voters, whose texts are in
   * `interventions`.
   */
  seq: primary(integer()),
  job_id: text(),
  /** The vote's comment, data and answers. */
  texts: nullable(json<JsonObject>()),
  /** Salts by the name of the text. */
  salts: json<Record<string, string>>(),
})

/** Answers that were sent to a run and may still be counted. */
export const pendingAnswersTable = defineTable('pending_answers', {
  workspace_id: primary(uuid()),
  intervention_id: primary(text()),
  /** Derived from the answer, so that equal answers have the same id. */
  update_id: primary(text()),
  job_id: text(),
  actor: text(),
  /** The answer and its author, in the form that the run expects. */
  input: json(),
  at: time(),
  /** The time of the next attempt, or the end of the lease. */
  due_at: time(),
})

/** Absent people and their substitutes. */
export const absencesTable = defineTable('absences', {
  workspace_id: primary(uuid()),
  actor: primary(text()),
  substitute: text(),
  starts_at: time(),
  /** Null for an absence without a known end. */
  ends_at: nullable(time()),
  updated_by: text(),
  updated_at: time(),
})

/** Working-hours calendars. */
export const workingCalendarsTable = defineTable('working_calendars', {
  workspace_id: primary(uuid()),
  name: primary(text()),
  time_zone: text(),
  /** Working hours in local time, by weekday. */
  hours: json<WorkingCalendar['hours']>(),
  holidays: texts(),
  updated_by: text(),
  updated_at: time(),
})
