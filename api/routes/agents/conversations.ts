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

/** Routes for conversations. Messages in a thread are answered in order. */
export function conversationRoutes({ chat, traces, purges }: Deps): Route[] {
  const say = defineRoute({
    name: 'chat.send',
    method: 'post',
    path: '/v1/chat/:traceId',
    summary: 'Send a message to a thread',
    description: 'Messages in a thread are answered one at a time, in order of arrival.',
    tag,
    access: allowChat('conversations:write'),
    params: chatParams,
    body: chatBody,
    idempotent: true,
    responses: { 202: { description: 'The message was accepted', schema: runAccepted } },
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
    summary: 'Read a thread',
    tag,
    access: allowReaders('conversations:read'),
    params: traceParams,
    query: pageQuery,
    responses: { 200: { description: 'The thread and a page of its messages, oldest first', schema: thread } },
    async handler({ principal, params, query }) {
      const { trace, messages, total } = await traces.read(principal, params.id, query)
      return ok({ trace, messages, pagination: page(messages, total, query).pagination })
    },
  })

  const remove = defineRoute({
    name: 'traces.delete',
    method: 'delete',
    path: '/v1/traces/:id',
    summary: 'Delete a thread',
    description:
      "Deletes the thread immediately. A job then cancels the thread's open runs and removes its content: messages, recollections, and the inputs, outputs and texts of its jobs and their child runs. The job's result counts the removed items. Ids, statuses, times, usage, the audit log and artifacts written by the runs are kept. If the thread or one of its runs belongs to another person, you also need the permission `jobs:control`.",
    tag,
    access: allowWriters('conversations:write'),
    params: traceParams,
    responses: {
      202: { description: 'The thread is deleted. The job removes its content afterwards.', schema: jobAccepted },
    },
    handler: async ({ principal, params }) => accepted(await purges.trace(principal, params.id)),
  })

  return [say, list, read, remove]
}
