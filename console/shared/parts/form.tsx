import type { ChangeEvent, ComponentProps } from 'react'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Gets the texts of the fields by their names, without the spaces around them. */
  onSubmit: (fields: Record<string, string>, form: HTMLFormElement) => void
}

/** A form whose fields keep their texts themselves. It has no files. */
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

/** The text of a field, and what keeps what is typed into it. */
export const bindField = (value: string, onChange: (text: string) => void) => ({
  value,
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value),
})
