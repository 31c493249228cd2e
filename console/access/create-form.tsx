import type { Ganglion } from '@ganglion/client'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Secret } from '../shared/parts/buttons.tsx'
import { Form } from '../shared/parts/form.tsx'
import { Failure } from '../shared/parts/read.tsx'
import { useChange } from '../shared/service/use-service.ts'

interface CreateFormProps<Reply> {
  /** The first part of the query keys to reload, such as `api-keys`. */
  name: string
  send: (ganglion: Ganglion, fields: Record<string, string>) => PromiseLike<Reply>
  /** Button label. */
  label?: string
  isDisabled?: boolean
  /** The secret that the service shows once, right after creating the item. */
  secret?: { label: string; of: (reply: Reply) => string | undefined }
  /** Content below the fields. */
  more?: ReactNode
  /** The form fields, shown in one row with the button. */
  children: ReactNode
}

/** A form that creates an item. */
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
