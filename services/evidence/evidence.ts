import { type EntryWithSeal, listEntriesOf } from '../../data/audit-seals-store.ts'
import { hashCanonical } from '../../data/canonical-hash.ts'
import type { Database } from '../../data/database.ts'
import { listInterventionChanges } from '../../data/intervention-changes-store.ts'
import type { InterventionRecord } from '../../data/interventions-store.ts'
import { findRunDefinition } from '../../data/jobs-store.ts'
import type { JobRecord, Vote } from '../../domain/jobs.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Principal } from '../../domain/principal.ts'
import { getIntervention } from '../jobs/find.ts'
import { presentChange } from '../jobs/views.ts'
import { readShown } from './shown.ts'
import type { PublicKey, Signature, Signer } from './signer.ts'

/** What proves a decision: what was shown, to whom, and who answered what in which role. */
export interface Evidence {
  document: JsonObject
  /** Null where no key is configured; the document says so too. */
  signature: Signature | null
}

export interface EvidenceService {
  /** Throws NotFound. */
  read(principal: Principal, interventionId: string): Promise<Evidence>
  listKeys(): Promise<PublicKey[]>
}

/** Entries of the audit log that a document has at most. */
const MAX_ENTRIES = 500

export function createEvidence({ db, signer }: { db: Database; signer: Signer }): EvidenceService {
  return {
    listKeys: async () => signer.listKeys(),
    read: async (principal, id) => {
      const found = await db.inWorkspace(principal.workspace_id, async tx => {
        const { record, job } = await getIntervention(tx, principal, id)
        const [changes, entries, definition] = await Promise.all([
          listInterventionChanges(tx, id),
          listEntriesOf(tx, id, MAX_ENTRIES),
          findRunDefinition(tx, job.job_id),
        ])
        return { record, job, changes, entries, definition }
      })
      const { record, job, changes, entries, definition } = found
      const document = toJson({
        schema: 'evidence/1',
        workspace: { id: principal.workspace_id, slug: principal.workspace_slug },
        is_signed: signer.keyId !== undefined,
        key_id: signer.keyId,
        intervention: describe(record),
        ...readShown(record),
        run: { ...describeRun(job), definition_hash: definition && hashCanonical(definition.definition) },
        votes: record.votes.map(presentVote),
        decision: record.decision && presentVote(record.decision),
        history: changes.map(presentChange),
        audit: entries.map(presentEntry),
      })
      return { document, signature: signer.sign(document) }
    },
  }
}

/** Leaves out what is undefined, so that the document is what its reader parses. */
const toJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

const describe = (record: InterventionRecord) => ({
  id: record.id,
  node_id: record.node_id,
  node_key: record.node_key,
  kind: record.kind,
  status: record.status,
  opened_at: record.opened_at,
  closed_at: record.closed_at,
  quorum: record.quorum,
  assignees: record.assignees,
  delegations: record.handling?.delegations ?? [],
  /** The people behind the run, who may not decide. */
  excluded: record.excluded,
})

const describeRun = (job: JobRecord) => ({
  job_id: job.job_id,
  root_job_id: job.root_job_id,
  kind: job.kind,
  title: job.title,
  pathway_id: job.pathway_id,
  pathway_version: job.pathway_version,
  neuron_id: job.neuron_id,
  neuron_version: job.neuron_version,
  requester: job.requester,
  people: job.people,
  created_at: job.created_at,
})

/** The role is the assignee as which a person answered: by name, by a group, or in place of an absent one. */
const presentVote = ({ action, by, person, at, on_behalf_of, answered_as, comment, data, answers }: Vote) => ({
  action,
  by,
  person: person ?? by,
  at,
  role: on_behalf_of === undefined ? (answered_as ?? 'everyone') : `substitute of ${on_behalf_of}`,
  comment,
  data,
  answers,
})

const presentEntry = ({ id, entry, seal }: EntryWithSeal): JsonValue => ({ id, ...entry, seal })
