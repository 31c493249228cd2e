import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TaskLink, When } from '../shared/parts/inline.tsx'
import { Person } from '../shared/parts/person.tsx'
import { Read } from '../shared/parts/read.tsx'
import { Value } from '../shared/parts/values.tsx'
import { useRead } from '../shared/service/use-service.ts'

/** All information about a person in a map: relations, changes, mentions and open tasks. */
export function Briefing({ mapId, person }: { mapId: string; person: string }) {
  const briefing = useRead(['resources', 'briefing', mapId, person], ({ stakeholders }) =>
    stakeholders.briefing(person, { resource_id: mapId }),
  )
  return (
    <Read query={briefing}>
      {({ stakeholder: { id: _id, name, ...facts }, relations, changes, mentions, interventions }) => (
        <article className="fields" aria-label={`Briefing on ${name}`}>
          <h2 className="map-heading">{name}</h2>
          <Value value={facts} />
          <Part title="Relations">
            {[...relations.outgoing, ...relations.incoming].map(({ sentence }) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </Part>
          <Part title="Open tasks for this person">
            {interventions.map(({ id, title }) => (
              <li key={id}>
                <TaskLink id={id}>{title}</TaskLink>
              </li>
            ))}
          </Part>
          <Part title="Documents that mention this person">
            {(mentions ?? []).map(({ resource_id, type, title, excerpt }) => (
              <li key={resource_id}>
                <Link to="/documents" search={{ at: `${type}:${resource_id}` }} className="table-link">
                  {title}
                </Link>
                <span className="item-note">{excerpt}</span>
              </li>
            ))}
          </Part>
          <Part title="Changes">
            {changes.map(({ version, at, author, sentences }) => (
              <li key={version}>
                Version {version}, <When time={at} /> by <Person actor={author} />: {sentences.join(' ')}
              </li>
            ))}
          </Part>
        </article>
      )}
    </Read>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode[] }) =>
  children.length === 0 ? null : (
    <section aria-label={title}>
      <h3 className="map-heading">{title}</h3>
      <ul className="plain-list">{children}</ul>
    </section>
  )
