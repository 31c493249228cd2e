import { BUILTIN_TOOLKITS, type BuiltinToolkit } from '../../domain/mcp-toolkits.ts'
import { RESOURCE_KINDS, type ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Reach } from './reach.ts'
import type { Tool } from './tool.ts'
import { createDocument } from './tools/documents/create-document.ts'
import { documentHistory } from './tools/documents/document-history.ts'
import { editDocument } from './tools/documents/edit-document.ts'
import { ingestDocument } from './tools/documents/ingest-document.ts'
import { readDocument } from './tools/documents/read-document.ts'
import { answerQuestion } from './tools/inbox/answer-question.ts'
import { claimQuestion } from './tools/inbox/claim-question.ts'
import { commentQuestion } from './tools/inbox/comment-question.ts'
import { getEvidence } from './tools/inbox/get-evidence.ts'
import { getQuestion } from './tools/inbox/get-question.ts'
import { listQuestions } from './tools/inbox/list-questions.ts'
import { releaseQuestion } from './tools/inbox/release-question.ts'
import { askNeuron } from './tools/neurons/ask-neuron.ts'
import { continueConversation } from './tools/neurons/continue-conversation.ts'
import { listNeurons } from './tools/neurons/list-neurons.ts'
import { getPathway } from './tools/pathways/get-pathway.ts'
import { listPathways } from './tools/pathways/list-pathways.ts'
import { runPathway } from './tools/pathways/run-pathway.ts'
import { validatePathway } from './tools/pathways/validate-pathway.ts'
import { cancelRun } from './tools/runs/cancel-run.ts'
import { diagnoseRun } from './tools/runs/diagnose-run.ts'
import { previewBulk, runBulk } from './tools/runs/bulk-runs.ts'
import { forkRun, previewFork, retryRun } from './tools/runs/fork-run.ts'
import { getRun } from './tools/runs/get-run.ts'
import { listRuns } from './tools/runs/list-runs.ts'
import { migrateRuns, previewMigration } from './tools/runs/migrate-runs.ts'
import { waitForRun } from './tools/runs/wait-for-run.ts'
import { browse } from './tools/finding/browse.ts'
import { fetchResource } from './tools/finding/fetch.ts'
import { search } from './tools/finding/search.ts'

/** What every toolkit has whose tools start runs: a run may outlast its call, and ask people. */
export const RUN_TOOLS: readonly Tool[] = [getRun, diagnoseRun, waitForRun, cancelRun, answerQuestion]

/** The toolkits of the service. A new tool is a file and a line here. The order is that of lists of tools. */
const TOOLKITS: Record<BuiltinToolkit, readonly Tool[]> = {
  pathways: [
    listPathways,
    getPathway,
    runPathway,
    validatePathway,
    listRuns,
    ...RUN_TOOLS,
    previewFork,
    forkRun,
    retryRun,
    previewBulk,
    runBulk,
    previewMigration,
    migrateRuns,
  ],
  neurons: [listNeurons, askNeuron, continueConversation, ...RUN_TOOLS],
  search: [search, fetchResource, browse],
  documents: [readDocument, createDocument, editDocument, ingestDocument, documentHistory],
  inbox: [listQuestions, getQuestion, answerQuestion, claimQuestion, releaseQuestion, commentQuestion, getEvidence],
}

export const getBuiltinToolkit = (name: BuiltinToolkit): readonly Tool[] => TOOLKITS[name]

/** The kinds of resources that toolkits of the service read. */
const KINDS: Partial<Record<BuiltinToolkit, readonly ResourceKind[]>> = {
  search: RESOURCE_KINDS,
  documents: ['assets', 'artifacts'],
}

/** What a request reaches that names no toolkit. */
export const EVERYTHING: Reach = { kinds: RESOURCE_KINDS, targets: 'all' }

/** What a toolkit of the service reaches. */
export const findBuiltinReach = (name: BuiltinToolkit): Reach => ({ kinds: KINDS[name] ?? [], targets: 'all' })

/** All tools of the service. */
export const BUILTIN_TOOLS: readonly Tool[] = joinTools(BUILTIN_TOOLKITS.map(name => TOOLKITS[name]))

/** Joins toolkits. Of tools with one name the first is taken. */
export function joinTools(toolkits: (readonly Tool[])[]): Tool[] {
  const byName = new Map<string, Tool>()
  for (const tool of toolkits.flat()) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  return [...byName.values()]
}
