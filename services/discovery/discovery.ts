import type { Database } from '../../data/database.ts'
import { browse } from './browse.ts'
import { children, childrenOfEach } from './children.ts'
import { move } from './move.ts'
import { folders, rows } from './tree.ts'
import type { DiscoveryService } from './types.ts'

interface Deps {
  db: Database
  /** Resources that move in one go: by default as many as are written well within the time a statement may take. */
  mostMoved?: number
}

export function createDiscovery({ db, mostMoved = 20_000 }: Deps): DiscoveryService {
  return {
    browse: (who, query) => browse(db, who, query),
    children: (who, key, page) => children(db, who, key, page),
    childrenOfEach: (who, keys, page) => childrenOfEach(db, who, keys, page),
    rows: (who, query) => rows(db, who, query),
    folders: (who, query) => folders(db, who, query),
    move: (who, request) => move({ db, most: mostMoved }, who, request),
  }
}
