import type { Item } from '@ganglion/client'
import { ActionIcon, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { buildItems, Choice } from '../shared/parts/choice.tsx'
import { AttachButton, ChosenFiles, useFiles } from '../shared/parts/files.tsx'
import { bindField, Form } from '../shared/parts/form.tsx'
import { splitRef } from '../shared/parts/names.ts'
import { Empty, Failure, Read } from '../shared/parts/read.tsx'
import { useChange, useRead } from '../shared/service/use-service.ts'

const route = getRouteApi('/chat')

/**
 * Composes the next message in a thread. Without a thread, lets the person choose an agent or gateway and starts a
 * new thread.
 */
export function Composer({ trace }: { trace?: Item<'traces.list'> }) {
  const { with: target = '' } = route.useSearch()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const attached = useFiles()
  const needsTarget = !trace?.target
  // For example `receptor:front-desk`.
  const [kind, name] = splitRef(target)
  const send = useChange(
    'traces',
    ({ chat }, message: string) =>
      chat.send(trace?.id ?? 'new', {
        message,
        ...(attached.files.length > 0 && { files: attached.files.map(({ id }) => id) }),
        ...(needsTarget && { [kind]: name }),
      }),
    ({ trace_id }) => {
      setText('')
      attached.clear()
      if (!trace) void navigate({ to: '/chat/$traceId', params: { traceId: trace_id }, search: true })
      void queryClient.invalidateQueries({ queryKey: ['jobs'] })
    },
  )
  const isSending = send.isPending || attached.uploading !== undefined
  const isReady = text.trim() !== '' && !(needsTarget && target === '') && !isSending
  const submit = () => isReady && send.mutate(text.trim())
  return (
    <Form className="composer" onSubmit={submit}>
      {needsTarget && <Answering target={target} />}
      {send.error && <Failure error={send.error} />}
      <ChosenFiles {...attached} />
      <div className="composer-row">
        <AttachButton onChange={chosen => void attached.upload(chosen)} />
        <Textarea
          aria-label="Message"
          placeholder="Message. Shift + Enter starts a new line."
          maxRows={10}
          {...bindField(text, setText)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            submit()
          }}
        />
        <ActionIcon type="submit" size={36} aria-label="Send" data-disabled={!isReady || undefined}>
          <IconSend size={18} />
        </ActionIcon>
      </div>
    </Form>
  )
}

const LISTED = { is_active: 'true' as const, limit: 200 }

/** Lets the person choose an active agent or gateway to answer. Shows the gateway's greeting. */
function Answering({ target }: { target: string }) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const answering = useRead(['resources', 'answering'], async ganglion => {
    const [receptors, neurons] = await Promise.all([ganglion.receptors.list(LISTED), ganglion.neurons.list(LISTED)])
    return { receptors: receptors.data, neurons: neurons.data }
  })
  return (
    <Read query={answering}>
      {({ receptors, neurons }) => {
        if (neurons.length + receptors.length === 0)
          return <Empty title="No agents">Create an agent (neuron) or a gateway (receptor) to start a chat.</Empty>
        const greeting = receptors.find(({ slug }) => `receptor:${slug}` === target)?.greeting
        return (
          <>
            <Choice
              label="Chat with"
              none="Choose…"
              value={target}
              onChange={value =>
                void navigate({
                  to: '/chat/$traceId',
                  params: { traceId: 'new' },
                  search: { ...search, with: value },
                  replace: true,
                })
              }
              options={[
                { group: 'Gateways', items: buildItems('receptor', receptors, ({ slug }) => slug) },
                { group: 'Agents', items: buildItems('neuron', neurons, ({ slug }) => slug) },
              ]}
            />
            {greeting && <p className="detail-text">{greeting}</p>}
          </>
        )
      }}
    </Read>
  )
}
