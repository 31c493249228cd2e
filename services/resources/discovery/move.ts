import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  lockFolders,
  moveResources,
  type MoveOutcome,
  type MoveConflict,
} from '../../../data/resources/resource-moves-store.ts'
import { type AppError, Forbidden, ValidationError } from '../../../domain/shared/errors.ts'
import type { Problem } from '../../../domain/shared/json/json.ts'
import {
  joinPath,
  folderProblem,
  isWithin,
  MAX_PATH_BYTES,
  getBaseName,
  ROOT,
} from '../../../domain/resources/paths.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { MoveRequest, MoveResult } from '../../../contract/resources/discovery.ts'
import { contextBrain, contextBrains } from '../../access/brains.ts'
import { listKinds } from './tree.ts'

/** Maximum number of moved resources in the response. */
const MAX_SHOWN = 1_000
/** Maximum number of ids in a move's audit entry. */
const AUDITED = 100

/**
 * Moves resources and folders into another folder. If any entry cannot be moved, moves nothing and reports every
 * problem.
 */
export async function move(
  { db, maxMoved }: { db: Database; maxMoved: number },
  principal: Principal,
  request: MoveRequest,
): Promise<MoveResult> {
  const ids = [...new Set(request.resource_ids.map(id => id.toLowerCase()))]
  const folders = [...new Set(request.folders)]
  const problems = folderProblems(folders, request)
  if (problems.length > 0) throw notMovedError(problems)
  return db.inWorkspace(principal.workspace_id, async tx => {
    const selection = { ids, folders, to: request.path, max: maxMoved, maxListed: MAX_SHOWN }
    const scope = {
      visible: contextBrains(principal),
      writable: principal.brain_ids,
      kinds: listKinds(request.move_profile),
    }
    const [, outcome] = await Promise.all([
      folders.length > 0 ? lockFolders(tx) : undefined,
      moveResources(tx, { ...selection, ...scope }),
    ])
    if (outcome.tooMany) throw notMovedError([{ pointer: '/folders', message: tooMany(maxMoved) }])
    if (!outcome.done) throw outcomeError(outcome, { ids, folders }, request)
    const result = presentMoveResult(outcome, folders, request.path)
    await audit(tx, principal, request, ids, result)
    return result
  })
}

/** Lists problems with the folders themselves, regardless of their contents. */
function folderProblems(folders: string[], request: MoveRequest): Problem[] {
  return folders.flatMap(folder => {
    const message = findFolderProblem(folder, folders, request.path)
    return message === undefined ? [] : [{ pointer: `/folders/${request.folders.indexOf(folder)}`, message }]
  })
}

const tooMany = (most: number) => `must contain at most ${most} resources; move its contents in several requests`
const TWICE = 'is inside another folder in this request'
const TOO_LONG = `a path longer than ${MAX_PATH_BYTES} bytes`

function findFolderProblem(folder: string, folders: string[], to: string): string | undefined {
  if (folder === ROOT) return 'must not be the root'
  if (isWithin(to, folder)) return 'cannot be moved into itself'
  if (folders.some(other => other !== folder && isWithin(folder, other))) return TWICE
  return folderProblem(joinPath(to, getBaseName(folder))) === undefined ? undefined : `would have ${TOO_LONG}`
}

type MoveSelection = { ids: string[]; folders: string[] }

/** Resources that belong to the service are rejected, as for any other change. */
function outcomeError(outcome: MoveOutcome, selection: MoveSelection, request: MoveRequest): AppError {
  const problems = outcomeProblems(outcome, selection, request)
  return outcome.conflicts.some(({ conflict }) => conflict === 'core')
    ? new Forbidden(NOT_MOVED, problems)
    : notMovedError(problems)
}

function outcomeProblems(outcome: MoveOutcome, selection: MoveSelection, request: MoveRequest): Problem[] {
  const resourceIds = request.resource_ids.map(id => id.toLowerCase())
  const idAt = (i: number) => `/resource_ids/${resourceIds.indexOf(selection.ids[i] ?? '')}`
  const folderAt = (i: number) => `/folders/${request.folders.indexOf(selection.folders[i] ?? '')}`
  const missing = [...outcome.missingIds.map(idAt), ...outcome.missingFolders.map(folderAt)]
  return [
    ...missing.map((pointer): Problem => ({ pointer, message: 'does not exist' })),
    ...outcome.conflicts.map((conflict): Problem => {
      if (conflict.id !== null) return { pointer: idAt(conflict.id), message: describeResource(conflict) }
      return { pointer: folderAt(conflict.folder ?? 0), message: describeFolder(conflict) }
    }),
  ]
}

type ListedConflict = MoveOutcome['conflicts'][number]

function describeResource({ conflict, kind }: ListedConflict): string {
  const messages: Record<MoveConflict, string> = {
    kind: `is a ${nameOfKind(kind)}, not a document`,
    locked: 'cannot be moved with this credential',
    core: 'belongs to the service and cannot be moved',
    twice: TWICE,
    long: `would have ${TOO_LONG}`,
  }
  return messages[conflict]
}

function describeFolder({ conflict, kind, resources }: ListedConflict): string {
  const messages: Record<MoveConflict, string> = {
    kind: `contains ${resources} that are not documents, such as a ${nameOfKind(kind)}`,
    locked: `contains ${resources} that cannot be moved with this credential`,
    core: `contains ${resources} that belong to the service and cannot be moved`,
    twice: TWICE,
    long: `contains ${resources} that would have ${TOO_LONG}`,
  }
  return messages[conflict]
}

const nameOfKind = (kind: ListedConflict['kind']): string => getResourceKind(kind).singular.replaceAll('_', ' ')

const NOT_MOVED = 'Nothing was moved: some entries cannot be moved'
const notMovedError = (problems: Problem[]) => new ValidationError(NOT_MOVED, problems)

function presentMoveResult(
  { moved: movedResources, total, folders: counts }: MoveOutcome,
  folders: string[],
  to: string,
): MoveResult {
  const byFolder = new Map(counts.map(({ folder, resources }) => [folder, resources]))
  return {
    moved: movedResources,
    folders: folders.map((from, i) => ({
      from,
      path: joinPath(to, getBaseName(from)),
      resources: byFolder.get(i) ?? 0,
    })),
    total,
  }
}

/** Writes one audit entry for the entire move. */
async function audit(
  tx: Tx,
  principal: Principal,
  request: MoveRequest,
  ids: string[],
  result: MoveResult,
): Promise<void> {
  const { path, move_profile } = request
  const { folders, total } = result
  const resource_ids = ids.slice(0, AUDITED)
  const details = {
    total,
    resources: ids.length,
    resource_ids,
    folders: [...folders],
    move_profile,
  }
  const brain_id = contextBrain(principal)
  await writeAudit(tx, principal, { action: 'resource.move', target: path, brain_id, details })
}
