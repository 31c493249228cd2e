import type { Intervention } from '@ganglion/client'
import { Button, Group } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { toLabel } from '../parts/names.ts'
import { Loading } from '../parts/loading.tsx'
import { ApprovalForm } from './approval-form.tsx'
import type { AnswerProps } from './use-answer.ts'
import { QuestionsForm } from './questions-form.tsx'

const InputForm = lazy(() => import('./input-form.tsx'))

/** The form that answers an intervention, in the inbox and on the page of its run. */
export function AnswerForm(props: AnswerProps) {
  const { kind, interventionId } = props.question
  if (kind === 'approval') return <ApprovalForm key={interventionId} {...props} />
  if (kind === 'questions') return <QuestionsForm key={interventionId} {...props} />
  return (
    <Suspense fallback={<Loading />}>
      <InputForm key={interventionId} {...props} />
    </Suspense>
  )
}

/** What is shown instead of the form to those who may not answer. */
export const Refusal = ({ intervention }: { intervention: Intervention }) => (
  <div className="refusal">
    <p>{intervention.refusal}</p>
    <Group gap="xs">
      {intervention.actions.map(action => (
        <Button key={action} disabled variant="default" size="sm">
          {toLabel(action.split('_')[0] ?? '')}
        </Button>
      ))}
    </Group>
  </div>
)
