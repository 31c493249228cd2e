import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import * as rjsf from '@rjsf/utils'
import { FileById, useFiles } from '../parts/files.tsx'

/** A field: its label, description, control, and error. */
function FieldTemplate(props: rjsf.FieldTemplateProps) {
  const { id, label, children, rawErrors, errors, rawDescription, required, displayLabel, schema } = props
  const isCheckbox = schema.type === 'boolean'
  return (
    <div className="field" data-invalid={(rawErrors && rawErrors.length > 0) || undefined}>
      {displayLabel && !isCheckbox && label && (
        <label htmlFor={id} className="field-label">
          {label}
          {required && <span className="field-required"> *</span>}
        </label>
      )}
      {displayLabel && rawDescription && (
        <p id={rjsf.descriptionId(id)} className="field-description">
          {rawDescription}
        </p>
      )}
      {children}
      {errors}
    </div>
  )
}

const FieldErrorTemplate = ({ errors = [], fieldPathId }: rjsf.FieldErrorProps) =>
  errors.length === 0 ? null : (
    <p id={rjsf.errorId(fieldPathId)} className="field-error">
      {errors.filter(error => typeof error === 'string').join(' ')}
    </p>
  )

function ObjectFieldTemplate({ title, description, properties, fieldPathId }: rjsf.ObjectFieldTemplateProps) {
  const fields = properties.map(({ name, content }) => <div key={name}>{content}</div>)
  const isWhole = fieldPathId.path.length === 0
  if (isWhole || !title) return <div className="fields">{fields}</div>
  return (
    <fieldset className="field-group">
      <legend>{title}</legend>
      {description && <p className="field-description">{description}</p>}
      <div className="fields">{fields}</div>
    </fieldset>
  )
}

const ArrayFieldItemTemplate = ({ children, buttonsProps, hasToolbar, registry }: rjsf.ArrayFieldItemTemplateProps) => {
  const { ArrayFieldItemButtonsTemplate } = registry.templates
  return (
    <div className="array-item">
      <div>{children}</div>
      {hasToolbar && (
        <div className="array-buttons">
          <ArrayFieldItemButtonsTemplate {...buttonsProps} />
        </div>
      )}
    </div>
  )
}

/** The selector for alternative schemas and the fields of the selected schema, as one group. */
const MultiSchemaFieldTemplate = ({ selector, optionSchemaField }: rjsf.MultiSchemaFieldTemplateProps) => (
  <div className="fields">
    {selector}
    {optionSchemaField}
  </div>
)

function SelectWidget(props: rjsf.WidgetProps) {
  const { id, value, options, label, required, disabled, readonly, multiple, rawErrors, onChange } = props
  const { enumOptions, emptyValue } = options
  const selectedValue = rjsf.enumOptionSelectedValue(
    value,
    enumOptions,
    multiple === true,
    'indexed',
    multiple ? [] : '',
  )
  return (
    <select
      id={id}
      multiple={multiple}
      value={selectedValue}
      required={required}
      disabled={disabled || readonly}
      aria-label={label || 'Variant'}
      aria-invalid={(rawErrors && rawErrors.length > 0) || undefined}
      aria-describedby={rjsf.ariaDescribedByIds(id)}
      onChange={({ currentTarget }) => {
        const values = [...currentTarget.selectedOptions].map(option => option.value)
        const selection = multiple ? values : (values[0] ?? '')
        onChange(rjsf.enumOptionValueDecoder(selection, enumOptions, 'indexed', emptyValue))
      }}
    >
      {!multiple && <option value="">Choose…</option>}
      {enumOptions?.map((option, index) => (
        <option key={String(option.value)} value={rjsf.enumOptionValueEncoder(option.value, index, 'indexed')}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

const CheckboxWidget = ({ id, value, label, disabled, readonly, onChange }: rjsf.WidgetProps) => (
  <label className="field-check">
    <input
      id={id}
      type="checkbox"
      checked={value === true}
      disabled={disabled || readonly}
      onChange={event => onChange(event.currentTarget.checked)}
    />
    {label}
  </label>
)

function buildButton(Icon: typeof IconPlus, label: string) {
  return function FormButton({ id, onClick, disabled }: rjsf.IconButtonProps) {
    return (
      <Button
        id={id}
        size="compact-xs"
        w="fit-content"
        variant="default"
        leftSection={<Icon size={14} aria-hidden />}
        disabled={disabled}
        onClick={onClick}
      >
        {label}
      </Button>
    )
  }
}

export const templates = {
  FieldTemplate,
  FieldErrorTemplate,
  ObjectFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  ButtonTemplates: {
    AddButton: buildButton(IconPlus, 'Add'),
    RemoveButton: buildButton(IconTrash, 'Remove'),
    MoveUpButton: buildButton(IconArrowUp, 'Up'),
    MoveDownButton: buildButton(IconArrowDown, 'Down'),
  },
}

/** A file field. The file is uploaded at once, and the value is its id. */
function FileWidget({ id, value, schema, required, disabled, readonly, rawErrors, onChange }: rjsf.WidgetProps) {
  const { uploading, error, upload } = useFiles()
  return (
    <>
      <input
        id={id}
        type="file"
        accept={typeof schema.contentMediaType === 'string' ? schema.contentMediaType : undefined}
        required={required && !value}
        disabled={disabled || readonly || uploading !== undefined}
        aria-invalid={(rawErrors && rawErrors.length > 0) || undefined}
        aria-describedby={rjsf.ariaDescribedByIds(id)}
        onChange={({ currentTarget: { files } }) =>
          void upload([...(files ?? [])]).then(([file]) => onChange(file?.id))
        }
      />
      {typeof value === 'string' && uploading === undefined && <FileById id={value} />}
      <span role="status" className={error === undefined ? 'item-note' : 'field-error'}>
        {error ?? (uploading !== undefined && `Uploading ${uploading}…`)}
      </span>
    </>
  )
}

/** A field for a secret that browsers don't fill in. */
function PasswordWidget(props: rjsf.WidgetProps) {
  const BaseInputTemplate = rjsf.getTemplate('BaseInputTemplate', props.registry, props.options)
  return <BaseInputTemplate {...props} type="password" options={{ ...props.options, autocomplete: 'off' }} />
}

/** A field for a time. The value is a time in UTC, and the field shows the local time. */
function TimeWidget(props: rjsf.WidgetProps) {
  const { value, onChange, registry, options } = props
  const BaseInputTemplate = rjsf.getTemplate('BaseInputTemplate', registry, options)
  const today = new Date().toISOString().slice(0, DATE_CHARS)
  const time = typeof value === 'string' ? rjsf.utcToLocal(`${today}${value}`).slice(DATE_CHARS, DATE_CHARS + 5) : ''
  return (
    <BaseInputTemplate
      {...props}
      type="time"
      value={time}
      onChange={(text?: string) => onChange(text ? rjsf.localToUTC(`${today}${text}`)?.slice(DATE_CHARS) : undefined)}
    />
  )
}

/** Length of the date in a date and time. */
const DATE_CHARS = '2026-12-31T'.length

export const widgets = { SelectWidget, CheckboxWidget, FileWidget, PasswordWidget, TimeWidget }
