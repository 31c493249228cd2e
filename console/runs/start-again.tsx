import type { JobDetail } from '@ganglion/client'
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import JsonForm from '../forms/json-form.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { Json } from '../parts/value.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useDefinitionQuery } from './queries.ts'

/** Starts the pathway of a run anew, with its input as it was or changed. */
export default function StartAgain({ run, onStarted }: { run: JobDetail; onStarted: () => void }) {
  const { ganglion } = useSignedIn()
  const navigate = useNavigate()
  const { data: pinned, error } = useQuery(useDefinitionQuery(run.job_id, run.kind))
  const [input, setInput] = useState(run.input)
  const submit = useRef<HTMLButtonElement>(null)
  const definition = pinned?.definition
  const start = useMutation({
    mutationFn: (input: unknown) =>
      run.pathway_id
        ? ganglion.pathways.execute(run.pathway_id, { input })
        : ganglion.jobs.start({ pathway: definition, input }),
    onSuccess: ({ job_id }) => {
      onStarted()
      void navigate({ to: '/runs/$jobId', params: { jobId: job_id } })
    },
  })
  if (error) return <Failure error={error} />
  if (!pinned) return <Loading />
  return (
    <div className="fields">
      {run.pathway_id && <p className="item-note">The present version of the pathway is started.</p>}
      {definition?.input ? (
        <JsonForm
          schema={definition.input}
          value={input}
          onChange={setInput}
          onSubmit={value => start.mutate(value)}
          error={start.error}
          submitRef={submit}
        />
      ) : (
        <Json value={input ?? {}} />
      )}
      {start.error && <Failure error={start.error} />}
      <Group>
        <Button
          loading={start.isPending}
          onClick={() => (definition?.input ? submit.current?.click() : start.mutate(input))}
        >
          Start
        </Button>
      </Group>
    </div>
  )
}
