/** The evidence document of an unanswered intervention. */
export const UNANSWERED = {
  schema: 'evidence/2',
  created_at: '2026-11-27T12:00:00.000000Z',
  workspace: { id: 'w' },
  intervention: { id: 'i', job_id: 'j', shown_hash: 'h', status: 'open' },
  votes: [],
  decision: null,
  audit: [],
  mismatches: [],
}
