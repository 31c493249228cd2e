import { ActionIcon, NativeSelect, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { type Trace, useAnsweringQuery } from './queries.ts'

const route = getRouteApi('/chat')

/** The next message of a thread; without a thread, the first of a new one and who answers it. */
export function Composer({ trace }: { trace?: Trace }) {
  const { ganglion } = useSignedIn()
  const { with: chosen = '' } = route.useSearch()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const needsTarget = !trace?.target
  const send = useMutation({
    mutationFn: (message: string) =>
      ganglion.chat.send(trace?.id ?? 'new', { message, ...(needsTarget && toTarget(chosen)) }),
    onSuccess: ({ trace_id }) => {
      setText('')
      if (!trace) void navigate({ to: '/chat/$traceId', params: { traceId: trace_id }, search: true })
    },
    onSettled: () => Promise.all(['traces', 'jobs'].map(name => queryClient.invalidateQueries({ queryKey: [name] }))),
  })
  const isReady = text.trim() !== '' && !(needsTarget && chosen === '') && !send.isPending
  const submit = () => isReady && send.mutate(text.trim())
  return (
    <form
      className="composer"
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      {needsTarget && <Answering chosen={chosen} />}
      {send.error && <Failure error={send.error} />}
      <div className="composer-row">
        <Textarea
          aria-label="Message"
          placeholder="Message. Shift + Enter begins a line."
          autosize
          minRows={1}
          maxRows={10}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
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
    </form>
  )
}

/** Who answers, and how a receptor greets. */
function Answering({ chosen }: { chosen: string }) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const { data, error } = useQuery(useAnsweringQuery())
  if (error) return <Failure error={error} />
  if (!data) return null
  const { neurons, receptors } = data
  const greeting = receptors.find(({ slug }) => `receptor:${slug}` === chosen)?.greeting
  if (neurons.length + receptors.length === 0)
    return <Empty title="No one can answer">There are no neurons and no receptors.</Empty>
  const toItems = (type: string, list: { slug: string; title: string }[]) =>
    list.map(({ slug, title }) => ({ value: `${type}:${slug}`, label: title }))
  return (
    <>
      <NativeSelect
        label="Who answers"
        value={chosen}
        onChange={event =>
          void navigate({
            to: '/chat/$traceId',
            params: { traceId: 'new' },
            search: { ...search, with: event.currentTarget.value },
            replace: true,
          })
        }
        data={[
          { value: '', label: 'Choose…' },
          { group: 'Receptors', items: toItems('receptor', receptors) },
          { group: 'Neurons', items: toItems('neuron', neurons) },
        ]}
      />
      {greeting && <p className="detail-text">{greeting}</p>}
    </>
  )
}

function toTarget(chosen: string): { neuron?: string; receptor?: string } {
  const [type, ...rest] = chosen.split(':')
  const ref = rest.join(':')
  return type === 'receptor' ? { receptor: ref } : { neuron: ref }
}
