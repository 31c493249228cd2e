import type { Data, PathwayDefinition } from '@ganglion/client'
import { Button, JsonInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Status } from '../shared/parts/inline.tsx'
import { readOptionalJson } from '../shared/parts/json.ts'
import { showLater } from '../shared/parts/loading.tsx'
import { Failure } from '../shared/parts/read.tsx'
import { ScrollTable } from '../shared/parts/tables.tsx'
import { Json } from '../shared/parts/values.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'

const JsonForm = showLater(() => import('../shared/forms/json-form.tsx'))

export type DryRunReport = Data<'pathways.dryRunDefinition'>

interface DryRunProps {
  definition: PathwayDefinition
  /** Whether the definition matches the current text. If false, the text is being checked or has problems. */
  isCurrent: boolean
  /** The dry run's result for this definition. */
  report: DryRunReport | undefined
  onReport: (report: DryRunReport) => void
}

/** Simulates the definition without side effects, with an input and with mock outputs and answers. */
export function DryRun({ definition, isCurrent, report, onReport }: DryRunProps) {
  const { ganglion } = useSignedIn()
  const [input, setInput] = useState<unknown>({})
  const [outputs, setOutputs] = useState<Record<string, string>>({})
  const submit = useRef<HTMLButtonElement>(null)
  const run = useMutation({
    mutationFn: async (input: unknown) =>
      ganglion.pathways.dryRunDefinition({ definition, input, outputs: readOutputs(outputs) }),
    onSuccess(report) {
      onReport(report)
      const newNeeds = report.needs.filter(({ key }) => outputs[key] === undefined)
      setOutputs({ ...outputs, ...Object.fromEntries(newNeeds.map(need => [need.key, suggestOutput(need, report)])) })
    },
  })
  const schema = definition.input
  const isInvalid = Object.values(outputs).some(text => readOptionalJson(text).problem)
  return (
    <div className="fields">
      {schema && (
        <JsonForm
          schema={schema}
          value={input}
          onChange={setInput}
          onSubmit={value => run.mutate(value)}
          error={run.error}
          submitRef={submit}
        />
      )}
      {Object.entries(outputs).map(([key, text]) => (
        <JsonInput
          key={key}
          label={`Output of ${key}`}
          description="Mock output (JSON). Leave empty to stop here."
          minRows={1}
          value={text}
          onChange={text => setOutputs({ ...outputs, [key]: text })}
          error={readOptionalJson(text).problem}
        />
      ))}
      {run.error && <Failure error={run.error} />}
      {!isCurrent && <p className="item-note">Fix the problems in the definition to run a dry run.</p>}
      <Button
        variant="default"
        loading={run.isPending}
        disabled={isInvalid || !isCurrent}
        onClick={() => (schema ? submit.current?.click() : run.mutate(input))}
      >
        {report ? 'Repeat dry run' : 'Start dry run'}
      </Button>
      {report && <Report report={report} />}
    </div>
  )
}

const readOutputs = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, readOptionalJson(text).value]))

/** The simplest answer for each kind of task. */
const ANSWERS: Record<string, object> = {
  approval: { action: 'approve' },
  form: { action: 'submit_input', data: {} },
  questions: { action: 'answer_questions', answers: {} },
}

function suggestOutput({ key, type }: DryRunReport['needs'][number], { steps }: DryRunReport): string {
  if (type !== 'human') return '{}'
  const settings = steps.find(step => step.key === key)?.with as { kind?: string } | undefined
  return JSON.stringify(ANSWERS[settings?.kind ?? ''] ?? {})
}

const Report = ({ report: { title, status, steps, needs, result, error } }: { report: DryRunReport }) => (
  <section className="fields" aria-label="Dry run result">
    <p role="status" className="item-note">
      <Status status={needs.length > 0 ? NEEDS_OUTPUT : status} /> {title}
      {needs.length > 0 && `: enter an output for ${needs.map(({ key }) => key).join(', ')} to continue`}
    </p>
    {error && <p className="detail-text">{error.message}</p>}
    {result !== undefined && <Json value={result} />}
    <ScrollTable label="Nodes in the dry run" columns={['Node', 'Status', 'Exit port', 'Output']}>
      {listShownSteps({ steps, needs }).map(({ key, type, status, port, output }) => (
        <tr key={key}>
          <td>
            <code>{key}</code> <span className="item-note">{type}</span>
          </td>
          <td>
            <Status status={status} />
          </td>
          <td>{port}</td>
          <td className="table-main">{output !== undefined && <code>{truncateJson(output)}</code>}</td>
        </tr>
      ))}
    </ScrollTable>
  </section>
)

const NEEDS_OUTPUT = 'needs_mock_output'

/** Lists the steps. Steps without a mock output get their own status, because nothing runs or waits in a dry run. */
export const listShownSteps = ({ steps, needs }: Pick<DryRunReport, 'steps' | 'needs'>) =>
  steps.map(step => ({ ...step, status: needs.some(({ key }) => key === step.key) ? NEEDS_OUTPUT : step.status }))

const MAX_SHOWN = 200

function truncateJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
