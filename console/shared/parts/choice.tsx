import type { Schema } from '@ganglion/client'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { formatAbsolute } from './inline.tsx'
import { formatActor } from './names.ts'

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
      ...(Array.isArray(options) ? options : buildOptions(options as Record<Value, string>)),
    ]}
  />
)

const buildOptions = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Values as choices, each in words. */
export const buildChoices = <Value extends string>(values: readonly Value[], toWords: (value: Value) => string) =>
  values.map(value => ({ value, label: toWords(value) }))

/** Resources as choices by their type and id or slug, such as `receptor:front-desk`. */
export const buildItems = <T extends { title: string }>(type: string, resources: T[], toRef: (resource: T) => string) =>
  resources.map(resource => ({ value: `${type}:${toRef(resource)}`, label: resource.title }))

type Version = Schema<'VersionPage'>['data'][number]

/** The number of a version, who saved it when and why. */
export const describeVersion = ({ version, author, note, created_at }: Version): string =>
  `${version}: ${note ?? 'saved'} by ${formatActor(author)}, ${formatAbsolute(created_at)}`

interface VersionChoiceProps extends Omit<ChoiceProps<string>, 'options' | 'onChange'> {
  versions: Version[] | undefined
  onChange: (version: number | undefined) => void
}

/** One of the versions of something. */
export const VersionChoice = ({ versions = [], onChange, ...props }: VersionChoiceProps) => (
  <Choice
    {...props}
    options={versions.map(version => ({ value: String(version.version), label: describeVersion(version) }))}
    onChange={version => onChange(version ? Number(version) : undefined)}
  />
)
