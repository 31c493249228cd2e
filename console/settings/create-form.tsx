import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Secret } from '../parts/secret.tsx'

interface CreateFormProps {
  create: { isPending: boolean; error: Error | null }
  isDisabled?: boolean
  onSubmit: () => void
  /** The text that the service shows once, when it has created something. */
  secret: { label: string; text: string | undefined }
  /** Below the fields. */
  more?: ReactNode
  /** The fields, in one row with the button. */
  children: ReactNode
}

/** Creates something whose secret text is shown once. */
export const CreateForm = ({ create, isDisabled = false, onSubmit, secret, more, children }: CreateFormProps) => (
  <>
    <form
      className="pane settings-form"
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="settings-row">
        {children}
        <Button type="submit" loading={create.isPending} disabled={isDisabled}>
          Create
        </Button>
      </div>
      {more}
      {create.error && <Failure error={create.error} />}
    </form>
    <Secret {...secret} />
  </>
)
