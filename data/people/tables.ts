import { defineTable, generated, integer, json, nullable, primary, text, texts, time, uuid } from '../shared/table.ts'

/** What runs ask people, and what people answer. */
export const interventionsTable = defineTable('interventions', {
  workspace_id: primary(uuid()),
  id: primary(text()),
  job_id: text(),
  root_job_id: text(),
  node_key: nullable(text()),
  node_id: nullable(text()),
  kind: nullable(text()),
  title: nullable(text()),
  description: nullable(text()),
  form: nullable(json()),
  questions: nullable(json()),
  context: nullable(json()),
  assignees: texts(),
  quorum: nullable(integer()),
  excluded: texts(),
  due_at: nullable(time()),
  /** Null until the opening is known: changes may arrive in any order. */
  opened_at: nullable(time()),
  status: text(),
  closed_at: nullable(time()),
  decision: nullable(json()),
  shown_hash: nullable(text()),
  /** Revision, claim and delegations. Null until somebody changes it. */
  handling: nullable(json()),
})

/** The history of an intervention: who deals with it beside its assignees, reminders and comments. */
export const interventionChangesTable = defineTable('intervention_changes', {
  workspace_id: uuid(),
  id: primary(uuid()),
  intervention_id: text(),
  /** Of the handling that the change led to; null for a comment. */
  revision: nullable(integer()),
  change: text(),
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
  statement: json(),
  /** Null where the worker had no key. */
  signature: nullable(json()),
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
  texts: nullable(json()),
  /** By the name of the text. */
  salts: json(),
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
  hours: json(),
  holidays: texts(),
  updated_by: text(),
  updated_at: time(),
})
