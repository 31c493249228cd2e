import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import JsonForm from '../shared/forms/json-form.tsx'
import { Failure } from '../shared/parts/read.tsx'
import { Json } from '../shared/parts/values.tsx'

interface StartFormProps {
  /** JSON Schema of the input. A pathway without a schema accepts any input. */
  schema: Record<string, unknown> | undefined
  /** Initial input. */
  input?: unknown
  start: (input: unknown) => PromiseLike<{ job_id: string }>
  onStarted?: () => void
}

/** An input form. Submitting it starts a run and opens the run page. */
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
