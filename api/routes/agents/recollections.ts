import type { Recollections } from '../../../services/agents/recollections.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { createDisconnectSignal } from '../../routing/closed.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/agents/recollection.ts'

const tag = 'Conversations'
const noNeuron = { description: 'The neuron does not exist', schema: errorBody }

/** Routes for recollections: facts that neurons remember across threads. */
export function recollectionRoutes({ recollections }: { recollections: Recollections }): Route[] {
  const list = defineRoute({
    name: 'recollections.list',
    method: 'get',
    path: '/v1/recollections',
    summary: 'List recollections, latest first',
    tag,
    access: allowReaders('resources:read'),
    query: schemas.recollectionsQuery,
    responses: { 200: { description: 'A page of recollections', schema: schemas.recollectionPage }, 404: noNeuron },
    async handler({ principal, query }) {
      const { data, total } = await recollections.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const remember = defineRoute({
    name: 'recollections.create',
    method: 'post',
    path: '/v1/recollections',
    summary: 'Create a recollection',
    tag,
    access: allowWriters('resources:write'),
    body: schemas.recollectionBody,
    idempotent: true,
    responses: { 201: { description: 'The recollection', schema: schemas.recollectionView }, 404: noNeuron },
    async handler({ principal, body: { neuron, text }, idempotency }) {
      const neuron_id = await recollections.getNeuronId(principal, neuron)
      const recollection = await recollections.remember(principal, { neuron_id, text }, idempotency)
      return created(`/v1/recollections/${recollection.id}`, recollection)
    },
  })

  const recall = defineRoute({
    name: 'recollections.search',
    method: 'post',
    effect: 'read',
    path: '/v1/recollections/search',
    summary: 'Search recollections',
    tag,
    access: allowReaders('resources:read'),
    body: schemas.recollectionSearchBody,
    responses: {
      200: { description: 'Matches by keywords and by meaning, best first', schema: schemas.recollectionMatches },
      404: noNeuron,
    },
    async handler({ principal, body: { neuron, query, limit }, ctx }) {
      const neuron_id = await recollections.getNeuronId(principal, neuron)
      const signal = createDisconnectSignal(ctx.res)
      return ok(await recollections.recall(principal, { neuron_id, query, limit }, { signal }))
    },
  })

  const forget = defineRoute({
    name: 'recollections.delete',
    method: 'delete',
    path: '/v1/recollections/:id',
    summary: 'Delete a recollection',
    tag,
    access: allowWriters('resources:write'),
    params: schemas.recollectionParams,
    responses: { 204: { description: 'Deleted' } },
    async handler({ principal, params }) {
      await recollections.forget(principal, params.id)
      return noContent()
    },
  })

  return [list, remember, recall, forget]
}
