import './forms.css'
import { APIError } from '@ganglion/client/errors'
import Form from '@rjsf/core'
import { type RJSFSchema, toErrorSchema, type UiSchema } from '@rjsf/utils'
import { type Ref, useId, useMemo } from 'react'
import { templates, widgets } from './theme.tsx'
import validator from './validator.ts'

interface JsonFormProps {
  schema: RJSFSchema
  value: unknown
  onChange: (value: unknown) => void
  onSubmit: (value: unknown) => void
  /** The service's error for the last answer. Each problem appears at the field to which its pointer refers. */
  error?: unknown
  /** Matches the request pointers of form fields; its group is the field pointer. Default: the fields of an input. */
  fieldAt?: RegExp
  /** Validates and submits the form when clicked. */
  submitRef: Ref<HTMLButtonElement>
}

const UI: UiSchema = { 'ui:submitButtonOptions': { norender: true } }

const IN_DATA = /^\/input(?:\/data)?\/(.*)$/

/** A form generated from a JSON Schema. The form and the service validate the input. */
export default function JsonForm(props: JsonFormProps) {
  const { schema, value, onChange, onSubmit, error, fieldAt = IN_DATA, submitRef } = props
  const extraErrors = useMemo(() => listFieldErrors(error, fieldAt), [error, fieldAt])
  return (
    <Form
      className="json-form"
      idPrefix={useId()}
      schema={schema}
      uiSchema={UI}
      formData={value}
      validator={validator}
      templates={templates}
      widgets={widgets}
      extraErrors={extraErrors}
      showErrorList={false}
      focusOnFirstError
      // A value must not keep fields that a condition has hidden.
      omitExtraData={isConditional(schema)}
      noHtml5Validate
      onChange={({ formData }) => onChange(formData)}
      onSubmit={({ formData }) => onSubmit(formData)}
      onError={() => undefined}
    >
      <button ref={submitRef} type="submit" hidden tabIndex={-1}>
        Submit
      </button>
    </Form>
  )
}

/** Returns whether some of the schema's fields depend on others. */
const isConditional = (schema: RJSFSchema): boolean => /"(?:then|else|dependentSchemas)":/.test(JSON.stringify(schema))

/**
 * Groups problems by field: the request pointer `/input/data/iban` is the form field `iban`. For an input, `/input`
 * is the form itself.
 */
function listFieldErrors(error: unknown, fieldAt: RegExp) {
  if (!APIError.is(error)) return undefined
  const errors = (error.details ?? []).flatMap(({ pointer, message }) => {
    const [, path] = fieldAt.exec(pointer) ?? []
    const property = path?.split('/').map(part => `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`)
    return property ? [{ property: property.join(''), message, stack: message }] : []
  })
  return toErrorSchema(errors)
}
