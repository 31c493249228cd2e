import { Button, type ButtonProps } from '@mantine/core'
import type { RJSFSchema } from '@rjsf/utils'
import { type ReactNode, useRef } from 'react'
import { Failure } from '../parts/read.tsx'
import JsonForm from './json-form.tsx'

export type Fields = Record<string, unknown>

interface RequestFormProps {
  schema: RJSFSchema
  value: Fields
  onChange: (value: Fields) => void
  onSubmit: (value: Fields) => void
  /** The state of the request that the form sends. */
  request: { error: unknown; isPending: boolean }
  button: Pick<ButtonProps, 'size' | 'disabled'> & { children: string }
  /** Fields below those of the schema. */
  children?: ReactNode
}

const BODY = /^\/(.*)$/

/** A form for the body of a request, and the button that sends it. */
export function RequestForm({ schema, value, onChange, onSubmit, request, button, children }: RequestFormProps) {
  const submit = useRef<HTMLButtonElement>(null)
  return (
    <div className="fields">
      <JsonForm
        schema={schema}
        value={value}
        onChange={value => onChange(value as Fields)}
        onSubmit={value => onSubmit(value as Fields)}
        error={request.error}
        fieldAt={BODY}
        submitRef={submit}
      />
      {children}
      {request.error !== null && <Failure error={request.error} />}
      <Button {...button} loading={request.isPending} onClick={() => submit.current?.click()} />
    </div>
  )
}
