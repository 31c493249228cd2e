import type { Ganglion } from '@ganglion/client'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Secret } from '../shared/parts/buttons.tsx'
import { Form } from '../shared/parts/form.tsx'
import { Failure } from '../shared/parts/read.tsx'
import { useChange } from '../shared/service/use-service.ts'

interface CreateFormProps<Reply> {
  /** What is created: the first name of its queries. */
  name: string
  send: (ganglion: Ganglion, fields: Record<string, string>) => PromiseLike<Reply>
  /** The words on the button. */
  label?: string
  isDisabled?: boolean
  /** The text that the service shows once, when it has created something. */
  secret?: { label: string; of: (reply: Reply) => string | undefined }
  /** Below the fields. */
  more?: ReactNode
  /** The fields, in one row with the button. The first one differs each time. */
  children: ReactNode
}

/** Creates something. */
export function CreateForm<Reply>(props: CreateFormProps<Reply>) {
  const { name, send, label = 'Create', isDisabled, secret, more, children } = props
  const create = useChange(name, send)
  return (
    <>
      <Form
        className="pane settings-form"
        onSubmit={(fields, { elements: [first] }) =>
          create.mutate(fields, { onSuccess: () => void ((first as HTMLInputElement).value = '') })
        }
      >
        <div className="settings-row">
          {children}
          <Button type="submit" loading={create.isPending} disabled={isDisabled}>
            {label}
          </Button>
        </div>
        {more}
        {create.error && <Failure error={create.error} />}
      </Form>
      {secret && <Secret label={secret.label} text={create.data && secret.of(create.data)} />}
    </>
  )
}
