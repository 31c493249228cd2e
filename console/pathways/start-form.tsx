import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import JsonForm from '../shared/forms/json-form.tsx'
import { Failure } from '../shared/parts/read.tsx'
import { Json } from '../shared/parts/values.tsx'

interface StartFormProps {
  /** The JSON Schema of the input; a pathway without one takes what it is given. */
  schema: Record<string, unknown> | undefined
  /** What is filled in at first. */
  input?: unknown
  start: (input: unknown) => PromiseLike<{ job_id: string }>
  onStarted?: () => void
}

/** The input of a run as a form, and the start; leads to the page of the run. */
export default function StartForm({ schema, input: first, start, onStarted }: StartFormProps) {
  const navigate = useNavigate()
  const [input, setInput] = useState(first)
  const submit = useRef<HTMLButtonElement>(null)
  const send = useMutation({
    mutationFn: async (input: unknown) => start(input),
    onSuccess: ({ job_id }) => {
      onStarted?.()
      void navigate({ to: '/runs/$jobId', params: { jobId: job_id } })
    },
  })
  return (
    <div className="fields">
      {schema && (
        <JsonForm
          schema={schema}
          value={input}
          onChange={setInput}
          onSubmit={value => send.mutate(value)}
          error={send.error}
          submitRef={submit}
        />
      )}
      {!schema && first !== undefined && <Json value={first} />}
      {send.error && <Failure error={send.error} />}
      <Button loading={send.isPending} onClick={() => (schema ? submit.current?.click() : send.mutate(input))}>
        Start
      </Button>
    </div>
  )
}
