import type { ChangeEvent, ComponentProps } from 'react'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Called with the field values by name, trimmed. */
  onSubmit: (fields: Record<string, string>, form: HTMLFormElement) => void
}

/** A form with uncontrolled fields and no files. */
export const Form = ({ onSubmit, ...props }: FormProps) => (
  <form
    {...props}
    onSubmit={event => {
      event.preventDefault()
      const form = event.currentTarget
      const fields = [...new FormData(form)].map(([name, value]) => [name, (value as string).trim()])
      onSubmit(Object.fromEntries(fields) as Record<string, string>, form)
    }}
  />
)

/** Returns the value and change handler for a field. */
export const bindField = (value: string, onChange: (text: string) => void) => ({
  value,
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value),
})
