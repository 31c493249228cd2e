import './map.css'
import { Checkbox, NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { toName } from '../parts/names.ts'
import { Page } from '../parts/page.tsx'
import { useSetSearch } from '../parts/use-set-search.ts'
import { toAbsolute } from '../parts/when.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { Briefing } from './briefing.tsx'
import { type MapSearch, readMapSearch } from './search.ts'

const route = getRouteApi('/stakeholders/$mapId')
const CATALOG = 'stakeholder_maps'

interface Snapshot {
  stakeholders: { id: string; name: string }[]
}

/** A map at one of its versions as a picture, what has changed, and the briefing of a person. */
export function StakeholderMap() {
  const { mapId } = route.useParams()
  const { version, since, person } = route.useSearch()
  const { ganglion } = useSignedIn()
  const set = useSetSearch(readMapSearch)
  const {
    data: head,
    error,
    refetch,
  } = useQuery({
    queryKey: ['resources', 'map', mapId],
    queryFn: () => ganglion.resources.get(CATALOG, mapId),
  })
  const latest = head?.version ?? 1
  const shown = Math.min(version ?? latest, latest)
  return (
    <Page title={head?.title ?? 'Stakeholder map'} isWide>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!head && !error && <Loading />}
      {head && (
        <>
          <Versions mapId={mapId} latest={latest} shown={shown} since={since} onChange={set} />
          <div className="run-nodes" data-chosen="">
            <section className="pane map-picture" aria-label="Picture">
              <img src={toPicture(mapId, shown, since)} alt={`${head.title}, version ${shown}`} />
            </section>
            <section className="pane run-panel" aria-label="People">
              <People
                mapId={mapId}
                version={shown}
                person={person}
                onChange={person => set({ person: person === '' ? undefined : person })}
              />
              {since !== undefined && since !== shown && <Changes mapId={mapId} from={since} to={shown} />}
              {person !== undefined && <Briefing key={person} mapId={mapId} person={person} />}
            </section>
          </div>
        </>
      )}
    </Page>
  )
}

/** The picture has its changes marked against an earlier version. */
function toPicture(resource_id: string, version: number, since: number | undefined): string {
  const query = new URLSearchParams({ resource_id, version: String(version) })
  if (since !== undefined && since !== version) query.set('diff', String(since))
  return `/v1/stakeholders/graph.svg?${query.toString()}`
}

interface VersionsProps {
  mapId: string
  latest: number
  shown: number
  since: number | undefined
  onChange: (fields: MapSearch) => void
}

/** A slider over the versions; changes are marked against the one before, or any other. */
function Versions({ mapId, latest, shown, since, onChange }: VersionsProps) {
  const { ganglion } = useSignedIn()
  const [moving, setMoving] = useState<number>()
  const { data: history = [] } = useQuery({
    queryKey: ['resources', 'map-history', mapId],
    queryFn: () => ganglion.resources.history(CATALOG, mapId, { limit: 200 }).then(({ data }) => data),
  })
  const at = moving ?? shown
  const saved = history.find(({ version }) => version === at)
  const choose = () => {
    if (moving === undefined) return
    setMoving(undefined)
    onChange({
      version: moving === latest ? undefined : moving,
      since: since !== undefined && moving > 1 ? moving - 1 : since,
    })
  }
  return (
    <div className="map-versions">
      <label className="map-slider">
        <span className="field-label">
          Version {at}
          {saved && `: ${saved.note ?? 'saved'} by ${toName(saved.author)}, ${toAbsolute(saved.created_at)}`}
        </span>
        <input
          type="range"
          min={1}
          max={latest}
          value={at}
          disabled={latest === 1}
          onChange={event => setMoving(Number(event.currentTarget.value))}
          onPointerUp={choose}
          onKeyUp={choose}
          onBlur={choose}
        />
      </label>
      <Checkbox
        label="Mark changes"
        checked={since !== undefined}
        disabled={latest === 1}
        onChange={event => onChange({ since: event.currentTarget.checked ? Math.max(1, shown - 1) : undefined })}
      />
      {since !== undefined && (
        <NativeSelect
          size="xs"
          label="Since version"
          value={since}
          onChange={event => onChange({ since: Number(event.currentTarget.value) })}
          data={Array.from({ length: latest }, (_, i) => String(i + 1))}
        />
      )}
    </div>
  )
}

function People({
  mapId,
  version,
  person,
  onChange,
}: {
  mapId: string
  version: number
  person?: string
  onChange: (person: string) => void
}) {
  const { ganglion } = useSignedIn()
  const { data } = useQuery({
    queryKey: ['resources', 'map-people', mapId, version],
    queryFn: () => ganglion.resources.getVersion(CATALOG, mapId, version),
    placeholderData: keepPreviousData,
  })
  const people = ((data as { snapshot?: Snapshot } | undefined)?.snapshot?.stakeholders ?? []).toSorted((a, b) =>
    a.name.localeCompare(b.name),
  )
  return (
    <NativeSelect
      label={`Briefing on one of ${people.length} people`}
      value={person ?? ''}
      onChange={event => onChange(event.currentTarget.value)}
      data={[{ value: '', label: 'No one' }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}

/** What has changed between two versions, in sentences. */
function Changes({ mapId, from, to }: { mapId: string; from: number; to: number }) {
  const { ganglion } = useSignedIn()
  const { data, error } = useQuery({
    queryKey: ['resources', 'map-diff', mapId, from, to],
    queryFn: () => ganglion.stakeholders.diff({ resource_id: mapId, from, to }),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failure error={error} />
  if (!data) return null
  const { stakeholders, edges } = data
  const sentences = [stakeholders, edges].flatMap(({ added, removed, changed }) =>
    [...added, ...removed, ...changed].map(({ sentence }) => sentence),
  )
  return (
    <section aria-label="Changes">
      <h2 className="map-heading">
        From version {from} to {to}
      </h2>
      {sentences.length === 0 && <p className="item-note">Nothing has changed.</p>}
      <ul className="plain-list">
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}
