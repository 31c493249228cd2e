import type { ChangeEvent, ComponentProps } from 'react'
import type { Schema } from '@ganglion/client'
import { NativeSelect, type NativeSelectProps, SegmentedControl, type SegmentedControlProps } from '@mantine/core'
import { toName } from './names.ts'
import { toAbsolute } from './inline.tsx'

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
export const toField = (value: string, onChange: (text: string) => void) => ({
  value,
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value),
})

interface ChoiceProps<Value extends string> extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  /** The words for no choice, where there may be none. */
  none?: string
  value: Value | number | undefined
  /** The label of each value, or the values as Mantine takes them. */
  options: Record<Value, string> | NonNullable<NativeSelectProps['data']>
  onChange: (value: Value | undefined) => void
}

/** One of several values. */
export const Choice = <Value extends string>({ none, value, options, onChange, ...props }: ChoiceProps<Value>) => (
  <NativeSelect
    {...props}
    value={value ?? ''}
    onChange={event => onChange((event.currentTarget.value || undefined) as Value | undefined)}
    data={[
      ...(none === undefined ? [] : [{ value: '', label: none }]),
      ...(Array.isArray(options) ? options : toOptions(options as Record<Value, string>)),
    ]}
  />
)

const toOptions = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Resources as choices by their type and id or slug, such as `receptor:front-desk`. */
export const toItems = <T extends { title: string }>(type: string, resources: T[], toRef: (resource: T) => string) =>
  resources.map(resource => ({ value: `${type}:${toRef(resource)}`, label: resource.title }))

type Version = Schema<'VersionPage'>['data'][number]

/** The number of a version, who saved it when and why. */
export const toVersionText = ({ version, author, note, created_at }: Version): string =>
  `${version}: ${note ?? 'saved'} by ${toName(author)}, ${toAbsolute(created_at)}`

interface VersionChoiceProps extends Omit<ChoiceProps<string>, 'options' | 'onChange'> {
  versions: Version[] | undefined
  onChange: (version: number | undefined) => void
}

/** One of the versions of something. */
export const VersionChoice = ({ versions = [], onChange, ...props }: VersionChoiceProps) => (
  <Choice
    {...props}
    options={versions.map(one => ({ value: String(one.version), label: toVersionText(one) }))}
    onChange={version => onChange(version ? Number(version) : undefined)}
  />
)

interface ViewsProps<Value extends string> extends Pick<SegmentedControlProps, 'size'> {
  label: string
  value: Value
  /** The label of each view. */
  views: Partial<Record<Value, string>>
  onChange: (value: Value) => void
}

/** Switches between views of the same things. */
export const Views = <Value extends string>({ label, views, ...props }: ViewsProps<Value>) => (
  <SegmentedControl
    className="views"
    aria-label={label}
    data={(Object.keys(views) as Value[]).map(value => ({ value, label: views[value] }))}
    {...props}
  />
)
