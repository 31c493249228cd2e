import { randomUUIDv7 } from 'node:crypto'
import type { Database, Tx } from '../../data/shared/database.ts'
import {
  insertResource,
  listResources,
  listVersions,
  markDeleted,
  saveNextVersion,
  SlugTaken,
  unmarkDeleted,
  type Resource,
} from '../../data/resources/resources-store.ts'
import { listResourceUsers } from '../../data/resources/resource-users-store.ts'
import { Conflict, ValidationError } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { displayName, type KindDefinition } from '../../domain/resources/kind.ts'
import { getResourceKind, type ResourceKind } from '../../domain/resources/kinds/index.ts'
import { checkHead } from '../../domain/resources/checking.ts'
import { redactDocument } from '../../domain/resources/redacting.ts'
import { createUniqueSlug } from '../../domain/shared/text/slug.ts'
import {
  applyChange,
  compare,
  computeDelta,
  describeDelta,
  type Editable,
  protectContentFields,
} from '../../domain/resources/patching.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type {
  ResourcePatch,
  ResourceView,
  ResourceQuery,
  DryRunResult,
  RestoreBody,
} from '../../contract/resources/resource.ts'
import type { ResourceDiff, VersionView, VersionRange } from '../../contract/resources/version.ts'
import type { ReferringResources } from '../../contract/resources/reference.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { checkWritable, contextBrains, visibleBrains } from '../access/brains.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { IdempotencyKeys, Idempotency } from '../shared/idempotency.ts'
import { auditResource } from './audit.ts'
import { dryRunSaves, type DryRunResource } from './dry-run.ts'
import { changeContent, createEditText, type EditText, storeContent } from './content.ts'
import { joinSnapshot, translateOperation } from './snapshot.ts'
import { getAuthorFields } from './author.ts'
import { lockHead, getHead, getVersion, type ResourceAddress } from './finding.ts'
import { RESTORE_RULES } from './rules.ts'
import {
  buildChangedResource,
  checkRestorable,
  createCheck,
  toEditable,
  buildResource,
  type Validation,
  type NewFields,
} from './saving.ts'
import { presentResource, presentVersion, buildSnapshot } from './views.ts'

/** Edits a head's editable fields, in the transaction that saves the head. */
export type Edit = (before: Editable, tx: Tx) => unknown

export interface EditOptions {
  expected_version?: number
  note?: string
  /** The delta that the edit applies, if any. */
  delta?: JsonValue
}

/**
 * The operations on resources of all kinds. Each document change creates a new version. Methods throw NotFound for
 * ids from other workspaces and from brains that are not visible.
 */
export interface ResourcesService {
  list(
    principal: Principal,
    kind: ResourceKind,
    filter: ResourceQuery,
  ): Promise<{ data: ResourceView[]; total: number }>
  create(principal: Principal, kind: ResourceKind, fields: NewFields, idempotency?: Idempotency): Promise<ResourceView>
  /** With `version`, reads that version. */
  read(principal: Principal, kind: ResourceKind, idOrSlug: string, version?: number): Promise<ResourceView>
  patch(principal: Principal, kind: ResourceKind, idOrSlug: string, envelope: ResourcePatch): Promise<ResourceView>
  /** Applies an edit function. Otherwise behaves like `patch`. */
  edit(
    principal: Principal,
    kind: ResourceKind,
    idOrSlug: string,
    edit: Edit,
    options: EditOptions,
  ): Promise<ResourceView>
  /** Validates several resources, which may reference each other, without saving them. */
  dryRun(principal: Principal, definitions: readonly DryRunResource[]): Promise<DryRunResult[]>
  /** Deletes a resource, which can be restored later. Returns the resources that still reference it. */
  remove(principal: Principal, kind: ResourceKind, idOrSlug: string): Promise<ReferringResources>
  /** Lists the live resources whose latest versions reference the resource, newest first. */
  users(principal: Principal, kind: ResourceKind, idOrSlug: string, page: PageQuery): Promise<ReferringResources>
  /** Restores a deleted resource. With `version`, the title and document of that version become the next version. */
  restore(principal: Principal, kind: ResourceKind, idOrSlug: string, options?: RestoreBody): Promise<ResourceView>
  history(
    principal: Principal,
    kind: ResourceKind,
    idOrSlug: string,
    page: PageQuery,
  ): Promise<{ data: VersionView[]; total: number }>
  diff(principal: Principal, kind: ResourceKind, idOrSlug: string, range: VersionRange): Promise<ResourceDiff>
}

/** Maximum number of referencing resources listed in the response to a deletion. */
const MAX_SHOWN_USERS = 50

interface Deps {
  db: Database
  evaluator: Evaluator
  rules: Validation['rules']
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
}

/** Creates the resource service. Each save is validated, runs in one transaction, and is written to the audit log. */
export function createResources({ db, evaluator, rules, idempotencyKeys }: Deps): ResourcesService {
  const checks = { check: createCheck(evaluator), rules }

  async function edit(
    tx: Tx,
    principal: Principal,
    address: ResourceAddress,
    change: Edit,
    options: EditOptions,
  ): Promise<ResourceView> {
    const kind = getResourceKind(address.kind)
    const head = await lockHead(tx, principal, address)
    const { expected_version, note = null } = options
    if (expected_version !== undefined && expected_version !== head.version)
      throw new Conflict(`The ${displayName(kind)} is at version ${head.version}, not ${expected_version}`)
    const before = toEditable(head)
    const changedFields = await change(before, tx)
    const applied = kind.delta?.isComplete ? options.delta : undefined
    const checking =
      applied === undefined
        ? checks
        : { ...checks, check: (_: Principal, head: unknown) => checkHead(head as Editable) }
    const next = await buildChangedResource(tx, principal, kind, head, changedFields, checking, options.note)
    const delta =
      applied === undefined ? computeDelta(before, toEditable(next)) : describeDelta(before, toEditable(next), applied)
    // A save without changes creates no version.
    if (delta.changed.length === 0) return presentResource(head)
    const savedResource = await saveNextVersion(tx, next, { ...getAuthorFields(principal), note, delta })
    await auditResource(tx, principal, 'update', { before: head, after: savedResource })
    return presentResource(savedResource)
  }

  async function create(tx: Tx, principal: Principal, id: string, kindName: Resource['kind'], fields: NewFields) {
    const kind = getResourceKind(kindName)
    if (kind.createdBy)
      throw new ValidationError(`New ${kind.kind.replaceAll('_', ' ')} must be created with ${kind.createdBy}`)
    const document = await storeContent(tx, kind, joinSnapshot(kind, fields))
    const resource = await buildResource(tx, principal, id, kind, { ...fields, document }, checks)
    checkWritable(principal, resource.brain_id)
    await insertResource(tx, resource, { ...getAuthorFields(principal), note: fields.note ?? null, delta: null })
    await auditResource(tx, principal, 'create', { after: { ...resource, version: 1 } })
  }

  return {
    async list(principal, kind, page) {
      const brain_ids = contextBrains(principal)
      const { rows, total } = await db.inWorkspace(principal.workspace_id, tx =>
        listResources(tx, { kind, brain_ids, ...page }),
      )
      return { data: rows.map(presentResource), total }
    },

    async create(principal, kind, fields, idempotency) {
      const id = randomUUIDv7()
      const attempt = (newFields: NewFields) =>
        db.inWorkspace(principal.workspace_id, async tx => {
          const { target, isNew } = await idempotencyKeys.claim(tx, idempotency, id)
          if (isNew) await create(tx, principal, id, kind, newFields)
          return readHead(tx, principal, { kind, idOrSlug: target })
        })
      return attempt(fields).catch((error: unknown) => {
        // A taken slug is replaced only if it was derived from the title.
        if (!(error instanceof SlugTaken) || fields.slug !== undefined) throw error
        return attempt({ ...fields, slug: createUniqueSlug(error.slug, id) })
      })
    },

    read: (principal, kind, idOrSlug, version) =>
      db.inWorkspace(principal.workspace_id, tx => readHead(tx, principal, { kind, idOrSlug }, version)),

    patch: (principal, kind, idOrSlug, envelope) =>
      db.inWorkspace(principal.workspace_id, tx =>
        edit(
          tx,
          principal,
          { kind, idOrSlug },
          createEdit(kind, envelope, createEditText(evaluator, principal)),
          envelope,
        ),
      ),

    edit: (principal, kind, idOrSlug, change, options) =>
      db.inWorkspace(principal.workspace_id, tx => edit(tx, principal, { kind, idOrSlug }, change, options)),

    dryRun: (principal, items) =>
      dryRunSaves(db, principal, items, async (tx, { kind, note, ...fields }, isNew) => {
        const address = { kind, idOrSlug: fields.slug }
        if (!isNew) return edit(tx, principal, address, before => mergeFields(before, fields), { note })
        await create(tx, principal, randomUUIDv7(), kind, { ...fields, note })
        return readHead(tx, principal, address)
      }),

    remove: (principal, kind, idOrSlug) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const head = await lockHead(tx, principal, { kind, idOrSlug })
        await markDeleted(tx, head.id)
        await auditResource(tx, principal, 'delete', { before: head })
        return findUsers(tx, principal, head, { limit: MAX_SHOWN_USERS, offset: 0 })
      }),

    users: (principal, kind, idOrSlug, page) =>
      db.inWorkspace(principal.workspace_id, async tx =>
        findUsers(tx, principal, await getHead(tx, principal, { kind, idOrSlug }), page),
      ),

    restore: (principal, kind, idOrSlug, { version, note } = {}) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const head = await lockHead(tx, principal, { kind, idOrSlug }, { deleted: true })
        if (head.deleted_at !== null) {
          // The edit below checks another version.
          if (version === undefined) await checkRestorable(tx, principal, getResourceKind(kind), head, RESTORE_RULES)
          await unmarkDeleted(tx, head)
          await auditResource(tx, principal, 'restore', { after: head })
        }
        const address = { kind, idOrSlug: head.id }
        if (version === undefined) return readHead(tx, principal, address)
        const savedVersion = await getVersion(tx, head, version)
        const options = { note: note ?? `Restored from version ${version}` }
        return edit(tx, principal, address, before => takeVersion(before, savedVersion, getResourceKind(kind)), options)
      }),

    history: (principal, kind, idOrSlug, page) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const head = await getHead(tx, principal, { kind, idOrSlug })
        const { rows, total } = await listVersions(tx, head.id, page)
        return { data: rows.map(row => presentVersion(head, row)), total }
      }),

    diff: (principal, kind, idOrSlug, { from, to }) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const head = await getHead(tx, principal, { kind, idOrSlug })
        const findSide = async (side: number | 'live'): Promise<Resource> =>
          side === 'live' ? head : buildSnapshot(head, await getVersion(tx, head, side))
        const [before, after] = await Promise.all([findSide(from), findSide(to)])
        const definition = getResourceKind(kind)
        const redact = (side: Resource) => ({ ...side, document: redactDocument(head, side.document, definition) })
        return buildDiff(redact(before), redact(after))
      }),
  }
}

/** Replaces the given fields. A null document field gets its default value. */
function mergeFields(before: Editable, { document = {}, snapshot: _snapshot, ...head }: NewFields): unknown {
  const merged = Object.entries({ ...before.document, ...(document as object) })
  return { ...before, ...head, document: Object.fromEntries(merged.filter(([, value]) => value !== null)) }
}

function buildDiff(before: Resource, after: Resource): ResourceDiff {
  const [a, b] = [toEditable(before), toEditable(after)]
  const ops = compare(a, b)
  const { changed: changedFields } = computeDelta(a, b)
  const kind = getResourceKind(before.kind)
  return {
    from: before.version,
    to: after.version,
    changed: changedFields,
    ops: ops.map(op => translateOperation(kind, op)),
  }
}

/** Converts an envelope to an edit. Throws ValidationError if the kind does not support it. */
function createEdit(kindName: Resource['kind'], envelope: ResourcePatch, editText: EditText): Edit {
  const kind = getResourceKind(kindName)
  if (!('content' in envelope)) return before => protectContentFields(before, applyChange(before, envelope, kind), kind)
  if (kind.createdBy)
    throw new ValidationError(
      `The content of an ${kind.singular} cannot change; create a new version with ${kind.createdBy}`,
    )
  if (!kind.content) throw new ValidationError(`A ${displayName(kind)} has no content`)
  const { content } = envelope
  return async (before, tx) => ({ ...before, document: await changeContent(tx, before.document, content, editText) })
}

/**
 * Returns the head with a version's title and document. The head keeps its place and the fields that runs have
 * written.
 */
function takeVersion(
  before: Editable,
  { title, document }: Pick<Editable, 'title' | 'document'>,
  { runFields = [] }: KindDefinition,
): Editable {
  const isKept = ([field]: [string, unknown]) => runFields.includes(field)
  const restoredEntries = Object.entries(document).filter(entry => !isKept(entry))
  const remaining = Object.entries(before.document).filter(isKept)
  return { ...before, title, document: Object.fromEntries([...restoredEntries, ...remaining]) }
}

async function readHead(
  tx: Tx,
  principal: Principal,
  address: ResourceAddress,
  version?: number,
): Promise<ResourceView> {
  const head = await getHead(tx, principal, address)
  const resource = version === undefined ? head : buildSnapshot(head, await getVersion(tx, head, version))
  return presentResource(resource)
}

async function findUsers(tx: Tx, principal: Principal, head: Resource, page: PageQuery): Promise<ReferringResources> {
  const { rows, total } = await listResourceUsers(tx, head, { brain_ids: visibleBrains(principal), ...page })
  return { data: rows.map(({ id, kind, slug, title }) => ({ id, type: kind, slug, title })), total }
}
