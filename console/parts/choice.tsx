import type { Schema } from '@ganglion/client'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { toName } from './names.ts'
import { toAbsolute } from './when.tsx'

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
export const toItems = (type: string, resources: { id: string; slug?: string; title: string }[]) =>
  resources.map(({ id, slug = id, title }) => ({ value: `${type}:${slug}`, label: title }))

/** A version as a choice: its number, who saved it when and why. */
export const toVersionOption = ({ version, author, note, created_at }: Schema<'VersionPage'>['data'][number]) => ({
  value: String(version),
  label: `${version}: ${note ?? 'saved'} by ${toName(author)}, ${toAbsolute(created_at)}`,
})

/** The version of a choice. */
export const toVersion = (choice: string | undefined): number | undefined => (choice ? Number(choice) : undefined)
