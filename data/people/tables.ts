import type { Signature, VoteStatement } from '../../domain/people/evidence/statement.ts'
import type { Handling, HistoryChange } from '../../domain/people/handling.ts'
import type { WorkingCalendar } from '../../domain/people/working-time.ts'
import type { InterventionKind, Question, Vote } from '../../domain/people/intervention.ts'
import type { JsonObject, JsonSchema } from '../../domain/shared/json/json.ts'
import { defineTable, generated, integer, json, nullable, primary, text, texts, time, uuid } from '../shared/table.ts'

/** What runs ask people, and what people answer. */
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
  /** Data that is shown to the person beside the text. */
  context: nullable(json()),
  assignees: texts(),
  quorum: nullable(integer()),
  /** Empty where everyone may decide. */
  excluded: texts(),
  due_at: nullable(time()),
  /** Null until the opening is known: changes may arrive in any order. */
  opened_at: nullable(time()),
  status: text<'open' | 'decided' | 'timed_out' | 'cancelled'>(),
  closed_at: nullable(time()),
  decision: nullable(json<Vote>()),
  /** SHA-256 (hex) of the content for the person. */
  shown_hash: nullable(text()),
  /** Revision, claim and delegations. Null until somebody changes it. */
  handling: nullable(json<Handling>()),
})

/** The history of an intervention: who deals with it beside its assignees, reminders and comments. */
export const interventionChangesTable = defineTable('intervention_changes', {
  workspace_id: uuid(),
  id: primary(uuid()),
  intervention_id: text(),
  /** Of the handling that the change led to; null for a comment. */
  revision: nullable(integer()),
  change: text<HistoryChange>(),
  /** Null for what the run did by itself. */
  actor: nullable(text()),
  person: nullable(text()),
  /** Who could answer after it; null for a comment. */
  assignees: nullable(texts()),
  comment: nullable(text()),
  at: time(),
})

/** Votes as signed statements, which outlive their run. The app inserts and reads rows (app-role.ts), and writes no recorded_at. Nothing refers to the run: it may be gone. */
export const interventionVotesTable = defineTable('intervention_votes', {
  workspace_id: primary(uuid()),
  intervention_id: primary(text()),
  /** Counts from 1 within the intervention. */
  seq: primary(integer()),
  job_id: text(),
  recorded_at: time(),
  /** Holds texts only as salted hashes. */
  statement: json<VoteStatement>(),
  /** Null where the worker had no key. */
  signature: nullable(json<Signature>()),
  actor: generated(text()),
  person: generated(nullable(text())),
  /** The absent assignee for whom a substitute has answered. */
  on_behalf_of: generated(nullable(text())),
})

/** The texts of votes, which a purge removes. */
export const voteTextsTable = defineTable('vote_texts', {
  workspace_id: primary(uuid()),
  intervention_id: primary(text()),
  /** That of the vote. Row 0 has the salts of what was shown to all voters, whose texts are in interventions. */
  seq: primary(integer()),
  job_id: text(),
  /** The comment, data and answers of the vote. */
  texts: nullable(json<JsonObject>()),
  /** By the name of the text. */
  salts: json<Record<string, string>>(),
})

/** Answers that were sent to a run and may still count. */
export const pendingAnswersTable = defineTable('pending_answers', {
  workspace_id: primary(uuid()),
  intervention_id: primary(text()),
  /** The same answer has the same id. */
  update_id: primary(text()),
  job_id: text(),
  actor: text(),
  /** The answer with its author, as the run gets it. */
  input: json(),
  at: time(),
  /** The next attempt, or the end of the lease. */
  due_at: time(),
})

/** Who is away, and who answers meanwhile. */
export const absencesTable = defineTable('absences', {
  workspace_id: primary(uuid()),
  actor: primary(text()),
  substitute: text(),
  starts_at: time(),
  /** Null until the end is known. */
  ends_at: nullable(time()),
  updated_by: text(),
  updated_at: time(),
})

/** When people work. */
export const workingCalendarsTable = defineTable('working_calendars', {
  workspace_id: primary(uuid()),
  name: primary(text()),
  time_zone: text(),
  /** Spans of local time by weekday. */
  hours: json<WorkingCalendar['hours']>(),
  holidays: texts(),
  updated_by: text(),
  updated_at: time(),
})
