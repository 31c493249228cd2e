import type { Schema } from '@ganglion/client'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { formatAbsolute } from './inline.tsx'
import { formatActor } from './names.ts'

interface ChoiceProps<Value extends string> extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  /** Label for the empty option. If omitted, a selection is required. */
  none?: string
  value: Value | number | undefined
  /** Labels by value, or the values as Mantine accepts them. */
  options: Record<Value, string> | NonNullable<NativeSelectProps['data']>
  onChange: (value: Value | undefined) => void
}

/** A select box. */
export const Choice = <Value extends string>({ none, value, options, onChange, ...props }: ChoiceProps<Value>) => (
  <NativeSelect
    {...props}
    value={value ?? ''}
    onChange={event => onChange((event.currentTarget.value || undefined) as Value | undefined)}
    data={[
      ...(none === undefined ? [] : [{ value: '', label: none }]),
      ...(Array.isArray(options) ? options : buildOptions(options as Record<Value, string>)),
    ]}
  />
)

const buildOptions = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Builds labelled options from values. */
export const buildChoices = <Value extends string>(values: readonly Value[], toWords: (value: Value) => string) =>
  values.map(value => ({ value, label: toWords(value) }))

/** Builds options from resources by type and id or slug, such as `receptor:front-desk`. */
export const buildItems = <T extends { title: string }>(type: string, resources: T[], toRef: (resource: T) => string) =>
  resources.map(resource => ({ value: `${type}:${toRef(resource)}`, label: resource.title }))

type Version = Schema<'VersionPage'>['data'][number]

/** Describes a version by its number, author, note and time. */
export const describeVersion = ({ version, author, note, created_at }: Version): string =>
  `${version}: ${note ?? 'saved'} by ${formatActor(author)}, ${formatAbsolute(created_at)}`

interface VersionChoiceProps extends Omit<ChoiceProps<string>, 'options' | 'onChange'> {
  versions: Version[] | undefined
  onChange: (version: number | undefined) => void
}

/** A version selector. */
export const VersionChoice = ({ versions = [], onChange, ...props }: VersionChoiceProps) => (
  <Choice
    {...props}
    options={versions.map(version => ({ value: String(version.version), label: describeVersion(version) }))}
    onChange={version => onChange(version ? Number(version) : undefined)}
  />
)
