import { BUILTIN_TOOLKITS, type BuiltinToolkit } from '../../../domain/tools/mcp-toolkits.ts'
import { RESOURCE_KINDS, type ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { Reach } from '../calls/reach.ts'
import type { Tool } from './tool.ts'
import { createDocument, documentHistory, editDocument, ingestDocument, readDocument } from './documents.ts'
import {
  answerQuestion,
  claimQuestion,
  commentQuestion,
  getEvidence,
  getQuestion,
  listQuestions,
  releaseQuestion,
} from './inbox.ts'
import { askNeuron, continueConversation, listNeurons } from './neurons.ts'
import { getPathway, listPathways, runPathway, validatePathway } from './pathways.ts'
import {
  cancelRun,
  diagnoseRun,
  forkRun,
  getRun,
  listRuns,
  migrateRuns,
  previewBulk,
  previewFork,
  previewMigration,
  retryRun,
  runBulk,
  waitForRun,
} from './runs.ts'
import { browse, fetchResource, search } from './finding.ts'

/** Tools included in every toolkit that can start runs, because a run may outlast its call and ask people. */
export const RUN_TOOLS: readonly Tool[] = [getRun, diagnoseRun, waitForRun, cancelRun, answerQuestion]

/** The built-in toolkits, in the order in which their tools are listed. To add a tool, add a file and an entry here. */
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

/** Resource kinds that the built-in toolkits can read. */
const KINDS: Partial<Record<BuiltinToolkit, readonly ResourceKind[]>> = {
  search: RESOURCE_KINDS,
  documents: ['assets', 'artifacts'],
}

/** Access for a request that names no toolkit. */
export const FULL_REACH: Reach = { kinds: RESOURCE_KINDS, targets: 'all' }

/** Returns what a built-in toolkit can access. */
export const findBuiltinReach = (name: BuiltinToolkit): Reach => ({ kinds: KINDS[name] ?? [], targets: 'all' })

/** All built-in tools. */
export const BUILTIN_TOOLS: readonly Tool[] = joinTools(BUILTIN_TOOLKITS.map(name => TOOLKITS[name]))

/** Joins toolkits. If several tools have the same name, the first is used. */
export function joinTools(toolkits: (readonly Tool[])[]): Tool[] {
  const byName = new Map<string, Tool>()
  for (const tool of toolkits.flat()) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  return [...byName.values()]
}
