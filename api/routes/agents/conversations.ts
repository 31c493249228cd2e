import type { Chat } from '../../../services/agents/conversations/chat.ts'
import type { TracesService } from '../../../services/agents/conversations/traces.ts'
import type { Purges } from '../../../services/audit/purges/purges.ts'
import { allowChat, allowReaders, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import { jobAccepted } from '../../../contract/runs/control.ts'
import { chatParams, chatBody, runAccepted } from '../../../contract/agents/conversation.ts'
import { tracesQuery, tracePage, traceParams, thread } from '../../../contract/agents/thread.ts'

interface Deps {
  chat: Chat
  traces: TracesService
  purges: Pick<Purges, 'trace'>
}

const tag = 'Conversations'

/** Conversations: messages of a thread are answered in their order. */
export function conversationRoutes({ chat, traces, purges }: Deps): Route[] {
  const say = defineRoute({
    name: 'chat.send',
    method: 'post',
    path: '/v1/chat/:traceId',
    summary: 'Send a message to a thread',
    description: 'Messages of a thread are answered one at a time, in order of arrival.',
    tag,
    access: allowChat('conversations:write'),
    params: chatParams,
    body: chatBody,
    idempotent: true,
    responses: { 202: { description: 'The message is accepted', schema: runAccepted } },
    async handler({ principal, params, body, idempotency }) {
      const { neuron_task_options: options, ...request } = body
      return accepted(await chat(principal, params.traceId, { ...request, options }, idempotency))
    },
  })

  const list = defineRoute({
    name: 'traces.list',
    method: 'get',
    path: '/v1/traces',
    summary: 'List threads, latest first',
    tag,
    access: allowReaders('conversations:read'),
    query: tracesQuery,
    responses: { 200: { description: 'A page of threads', schema: tracePage } },
    async handler({ principal, query }) {
      const { data, total } = await traces.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const read = defineRoute({
    name: 'traces.get',
    method: 'get',
    path: '/v1/traces/:id',
    summary: 'Read a thread with its messages, oldest first',
    tag,
    access: allowReaders('conversations:read'),
    params: traceParams,
    query: pageQuery,
    responses: { 200: { description: 'The thread', schema: thread } },
    async handler({ principal, params, query }) {
      const { trace, messages, total } = await traces.read(principal, params.id, query)
      return ok({ trace, messages, pagination: page(messages, total, query).pagination })
    },
  })

  const remove = defineRoute({
    name: 'traces.delete',
    method: 'delete',
    path: '/v1/traces/:id',
    summary: 'Delete a thread with what was said in it',
    description:
      'The thread is deleted at once. A job then cancels its open runs, and removes its messages, the recollections from it, and what its jobs and their child runs were given, did and said. The result of the job counts what was removed. Ids, statuses, times, usage and the audit log remain, and so do artifacts that the runs wrote. Where the thread or one of its runs is of somebody else, this needs the permission `jobs:control`, too.',
    tag,
    access: allowWriters('conversations:write'),
    params: traceParams,
    responses: { 202: { description: 'Deleted; the job removes the content', schema: jobAccepted } },
    handler: async ({ principal, params }) => accepted(await purges.trace(principal, params.id)),
  })

  return [say, list, read, remove]
}
