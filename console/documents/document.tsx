import { Button, Group, NativeSelect, Title } from '@mantine/core'
import { IconDownload, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../parts/action-button.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { LongJson } from '../parts/long-json.tsx'
import { toName } from '../parts/names.ts'
import { Status } from '../parts/status.tsx'
import { Value } from '../parts/value.tsx'
import { toAbsolute, When } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'
import { MoveButton } from './move.tsx'
import { DOCUMENT_KINDS } from './place.ts'
import { Preview } from './preview.tsx'
import { useDocumentQuery, useVersionsQuery } from './queries.ts'

interface DocumentProps {
  kind: string
  id: string
  version: number | undefined
  onVersion: (version: number | undefined) => void
}

/** A document at one of its versions; other kinds than assets and artifacts as their JSON. */
export function Document({ kind, ...props }: DocumentProps) {
  return kind === 'assets' || kind === 'artifacts' ? (
    <TextDocument kind={kind} {...props} />
  ) : (
    <OtherDocument kind={kind} id={props.id} />
  )
}

type TextKind = 'assets' | 'artifacts'

function TextDocument({ kind, id, version, onVersion }: DocumentProps & { kind: TextKind }) {
  const { can } = useSignedIn()
  const { data, error, refetch } = useQuery(useDocumentQuery(kind, id, version))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const { title, path, description, media_type, size, metadata, updated_at } = data
  const extraction = 'extraction' in data ? data.extraction : undefined
  return (
    <article className="detail document">
      <Title order={2} size="h3">
        {title}
      </Title>
      <ul className="facts">
        <li>{DOCUMENT_KINDS[kind]}</li>
        <li>in {path}</li>
        <li>{media_type}</li>
        <li>{toSize(size)}</li>
        {extraction?.pages !== undefined && <li>{extraction.pages} pages</li>}
        <li>
          changed <When time={updated_at} />
        </li>
        {extraction && extraction.status !== 'ready' && (
          <li>
            <Status status={extraction.status === 'failed' ? 'failed' : 'running'} /> reading its text
          </li>
        )}
      </ul>
      {extraction?.error && <p className="field-error">{extraction.error.message}</p>}
      {description && <p className="detail-text">{description}</p>}
      {Object.keys(metadata).length > 0 && <Value value={metadata} />}
      <Group gap="xs" align="end">
        <Versions kind={kind} id={id} version={version} onVersion={onVersion} />
        <Button
          component="a"
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          href={`/v1/${kind}/${id}/content?version=${data.version}`}
          download
        >
          Download
        </Button>
        {can('resources:write') && <MoveButton place={`${kind}:${id}`} />}
        {can('resources:write') && version !== undefined && (
          <RestoreButton kind={kind} id={id} version={version} onRestored={() => onVersion(undefined)} />
        )}
      </Group>
      <Preview kind={kind} id={id} version={data.version} mediaType={media_type} size={size} />
    </article>
  )
}

/** The versions, latest first, each with who saved it and why. */
function Versions({ kind, id, version, onVersion }: DocumentProps & { kind: TextKind }) {
  const { data = [] } = useQuery(useVersionsQuery(kind, id))
  return (
    <NativeSelect
      aria-label="Version"
      size="xs"
      miw={0}
      maw="100%"
      value={version ?? ''}
      onChange={({ currentTarget: { value } }) => onVersion(value === '' ? undefined : Number(value))}
      data={[
        { value: '', label: 'Latest version' },
        ...data.map(({ version, author, note, created_at }) => ({
          value: String(version),
          label: `${version}: ${note ?? 'saved'} by ${toName(author)}, ${toAbsolute(created_at)}`,
        })),
      ]}
    />
  )
}

interface RestoreButtonProps {
  kind: TextKind
  id: string
  version: number
  onRestored: () => void
}

function RestoreButton({ kind, id, version, onRestored }: RestoreButtonProps) {
  const restore = useChange('resources', ganglion => ganglion[kind].restore(id, { version }), onRestored)
  return (
    <>
      <ActionButton icon={IconHistory} loading={restore.isPending} onClick={() => restore.mutate()}>
        Make it the latest
      </ActionButton>
      {restore.error && <Failure error={restore.error} />}
    </>
  )
}

function OtherDocument({ kind, id }: { kind: string; id: string }) {
  const { ganglion } = useSignedIn()
  const { data, error } = useQuery({
    queryKey: ['resources', 'document', kind, id],
    queryFn: () => ganglion.resources.get(kind, id),
  })
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <article className="detail document">
      <Title order={2} size="h3">
        {data.title}
      </Title>
      <ul className="facts">
        <li>{DOCUMENT_KINDS[kind] ?? kind}</li>
        <li>in {data.path}</li>
        {kind === 'stakeholder_maps' && (
          <li>
            <Link to="/stakeholders/$mapId" params={{ mapId: id }} className="table-link">
              Picture and briefings
            </Link>
          </li>
        )}
      </ul>
      <LongJson value={data.document} name={data.slug} />
    </article>
  )
}

const KILO = 1_000

function toSize(bytes: number): string {
  if (bytes < KILO) return `${bytes} bytes`
  return bytes < KILO * KILO ? `${(bytes / KILO).toFixed(1)} kB` : `${(bytes / KILO / KILO).toFixed(1)} MB`
}
