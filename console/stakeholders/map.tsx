import './map.css'
import { Checkbox } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Choice, describeVersion } from '../shared/parts/choice.tsx'
import { Page } from '../shared/parts/page.tsx'
import { Read } from '../shared/parts/read.tsx'
import { useSetSearch } from '../shared/parts/use-set-search.ts'
import { useRead } from '../shared/service/use-service.ts'
import { Briefing } from './briefing.tsx'
import { readMapSearch } from './search.ts'

const route = getRouteApi('/stakeholders/$mapId')
const CATALOG = 'stakeholder_maps'

interface Snapshot {
  stakeholders: { id: string; name: string }[]
}

/** The picture of a map at one of its versions, its changes, and a person's briefing. */
export function StakeholderMap() {
  const { mapId } = route.useParams()
  const { version, since, person } = route.useSearch()
  const map = useRead(['resources', 'map', mapId], ({ resources }) => resources.get(CATALOG, mapId))
  return (
    <Page title={map.data?.title ?? 'Stakeholder map'} isWide>
      <Read query={map}>
        {({ title, version: latest }) => {
          const shownVersion = Math.min(version ?? latest, latest)
          const marked = since === shownVersion ? undefined : since
          return (
            <>
              <Versions latest={latest} shownVersion={shownVersion} />
              <div className="run-nodes" data-chosen="">
                <section className="pane map-picture" aria-label="Map">
                  <img src={buildPictureUrl(mapId, shownVersion, marked)} alt={`${title}, version ${shownVersion}`} />
                </section>
                <section className="pane run-panel" aria-label="People">
                  <People version={shownVersion} />
                  {marked !== undefined && <Changes mapId={mapId} from={marked} to={shownVersion} />}
                  {person !== undefined && <Briefing key={person} mapId={mapId} person={person} />}
                </section>
              </div>
            </>
          )
        }}
      </Read>
    </Page>
  )
}

/** Returns the picture's URL, with changes marked against another version. */
function buildPictureUrl(resource_id: string, version: number, since: number | undefined): string {
  const query = new URLSearchParams({ resource_id, version: String(version) })
  if (since !== undefined) query.set('diff', String(since))
  return `/v1/stakeholders/graph.svg?${query.toString()}`
}

/** A version slider. Changes are marked relative to the previous version or a selected version. */
function Versions({ latest, shownVersion }: { latest: number; shownVersion: number }) {
  const { mapId } = route.useParams()
  const { since } = route.useSearch()
  const set = useSetSearch(readMapSearch)
  const [moving, setMoving] = useState<number>()
  const { data: history } = useRead(['resources', 'map-history', mapId], ({ resources }) =>
    resources.history(CATALOG, mapId, { limit: 200 }),
  )
  const at = moving ?? shownVersion
  const entry = history?.data.find(({ version }) => version === at)
  const choose = () => {
    if (moving === undefined) return
    setMoving(undefined)
    set({
      version: moving === latest ? undefined : moving,
      since: since !== undefined && moving > 1 ? moving - 1 : since,
    })
  }
  return (
    <div className="map-versions">
      <label className="map-slider">
        <span className="field-label">Version {entry ? describeVersion(entry) : at}</span>
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
        onChange={event => set({ since: event.currentTarget.checked ? Math.max(1, shownVersion - 1) : undefined })}
      />
      {since !== undefined && (
        <Choice
          size="xs"
          label="Compare with version"
          value={since}
          options={Array.from({ length: latest }, (_, i) => String(i + 1))}
          onChange={version => set({ since: Number(version) })}
        />
      )}
    </div>
  )
}

/** A selector for the people in a version. */
function People({ version }: { version: number }) {
  const { mapId } = route.useParams()
  const { person } = route.useSearch()
  const set = useSetSearch(readMapSearch)
  const { data } = useRead(
    ['resources', 'map-people', mapId, version],
    ({ resources }) => resources.getVersion(CATALOG, mapId, version),
    { placeholderData: keepPreviousData },
  )
  const { stakeholders = [] } = (data as { snapshot?: Snapshot } | undefined)?.snapshot ?? {}
  const people = stakeholders.toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <Choice
      label={`Briefing (${people.length} people)`}
      none="No one"
      value={person}
      options={people.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={person => set({ person })}
    />
  )
}

/** The changes between two versions, as sentences. */
function Changes({ mapId, from, to }: { mapId: string; from: number; to: number }) {
  const changes = useRead(
    ['resources', 'map-diff', mapId, from, to],
    async ({ stakeholders: maps }) => {
      const { stakeholders, edges } = await maps.diff({ resource_id: mapId, from, to })
      return [stakeholders, edges].flatMap(({ added, removed, changed }) =>
        [...added, ...removed, ...changed].map(({ sentence }) => sentence),
      )
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <Read query={changes}>
      {sentences => (
        <section aria-label="Changes">
          <h2 className="map-heading">
            From version {from} to {to}
          </h2>
          {sentences.length === 0 && <p className="item-note">No changes.</p>}
          <ul className="plain-list">
            {sentences.map(sentence => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
    </Read>
  )
}
