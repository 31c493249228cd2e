import type { z } from 'zod'
import type { Principal } from '../../../domain/access/principal.ts'
import * as schemas from '../../../contract/resources/discovery.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { DiscoveryService } from '../../../services/resources/discovery/discovery.ts'

const tag = 'Discovery'

/**
 * Routes that list resources by kind and by folder. They must precede the catalog routes, because `tree` and `move`
 * are not kinds.
 */
export function discoveryRoutes({ discovery }: { discovery: DiscoveryService }): Route[] {
  const browse = defineRoute({
    name: 'browse.list',
    method: 'post',
    effect: 'read',
    path: '/v1/browse',
    summary: 'Browse resources of a kind',
    description:
      'Sorted by last change, newest first. With `full_heads`, a page with large documents may have fewer entries than `limit`; check `has_more`.',
    tag,
    access: allowReaders('resources:read'),
    body: schemas.browseBody,
    responses: { 200: { description: 'A page of resources', schema: schemas.browsePage } },
    async handler({ principal, body }) {
      const { data, heads, total } = await discovery.browse(principal, body)
      return ok({ type: body.type, ...page(data, total, body), heads })
    },
  })

  const resourceTree = defineRoute({
    name: 'browse.tree',
    method: 'post',
    effect: 'read',
    path: '/v1/browse/resource-tree',
    summary: 'List the children of folders',
    description:
      'Folders come first, sorted by name, followed by resources, sorted by title. A folder exists only ' +
      'while it or a subfolder contains a resource. With `parent_keys`, the response contains `parents`, ' +
      'an object with an entry for each key.',
    tag,
    access: allowReaders('resources:read'),
    body: schemas.resourceTreeBody,
    responses: { 200: { description: 'The nodes', schema: schemas.resourceTree } },
    async handler({ principal, body }) {
      const { parent_key = { folder: '/' }, parent_keys, tree_profile, limit, cursor } = body
      return parent_keys
        ? ok({ parents: await discovery.childrenOfEach(principal, parent_keys, { tree_profile, limit }) })
        : ok(await discovery.children(principal, parent_key, { tree_profile, limit, cursor }))
    },
  })

  const replyWithTree = async (principal: Principal, { shape, ...query }: z.output<typeof schemas.treeQuery>) =>
    ok(shape === 'rows' ? await discovery.rows(principal, query) : await discovery.folders(principal, query))

  const treeResponses = { 200: { description: 'The rows or folders', schema: schemas.tree } }

  const readTree = defineRoute({
    name: 'resources.tree',
    method: 'get',
    path: '/v1/resources/tree',
    summary: 'List a subtree',
    description:
      'Returns rows or folders in tree order: the resources in a folder come before those in its subfolders.',
    tag,
    access: allowReaders('resources:read'),
    query: schemas.treeQuery,
    responses: treeResponses,
    handler: ({ principal, query }) => replyWithTree(principal, query),
  })

  const queryTree = defineRoute({
    name: 'resources.queryTree',
    method: 'post',
    effect: 'read',
    path: '/v1/resources/tree',
    summary: 'List a subtree with a request body',
    tag,
    access: allowReaders('resources:read'),
    body: schemas.treeBody,
    responses: treeResponses,
    handler: ({ principal, body }) => replyWithTree(principal, body),
  })

  const move = defineRoute({
    name: 'resources.move',
    method: 'post',
    path: '/v1/resources/move',
    summary: 'Move resources and folders',
    description:
      'Moves all entries or none. If any entries cannot be moved, `details` lists them. A folder keeps its ' +
      'name and content. If the target already has a folder with that name, the two are merged.',
    tag,
    access: allowWriters('resources:write'),
    body: schemas.moveBody,
    responses: { 200: { description: 'The new paths', schema: schemas.moved } },
    handler: async ({ principal, body }) => ok(await discovery.move(principal, body)),
  })

  return [browse, resourceTree, readTree, queryTree, move]
}
