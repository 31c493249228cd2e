import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECKOUT } from '../../dev/machine/folders.ts'
import { lintVersions, writeVersion } from '../../dev/release/versions.ts'

const FILES =
  '{{,client/,cli/}package.json,package-lock.json,client/openapi.json,docker-compose.yml,.env.example,CHANGELOG.md,deploy/helm/*/Chart.yaml}'

describe('versions', () => {
  let folder = ''

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'versions-'))
    for (const file of globSync(FILES, { cwd: CHECKOUT })) cpSync(join(CHECKOUT, file), join(folder, file))
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  const read = (file: string) => readFileSync(join(folder, file), 'utf8')

  test('all files of the checkout have the same version', () => {
    expect(lintVersions(folder)).toBeUndefined()
  })

  test('a new version is written to all files, and its section is dated', () => {
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 7.8.9-rc.1 (unreleased)\n')
    const changed = writeVersion('7.8.9-rc.1', '2031-02-03', folder)
    expect(changed.toSorted()).toEqual(globSync(FILES, { cwd: folder }).toSorted())
    expect(lintVersions(folder)).toBeUndefined()
    expect(JSON.parse(read('cli/package.json'))).toMatchObject({
      version: '7.8.9-rc.1',
      dependencies: { '@ganglion/client': '7.8.9-rc.1' },
    })
    expect(read('deploy/helm/ganglion/Chart.yaml')).toMatch(/^appVersion: 7\.8\.9-rc\.1$/m)
    expect(read('CHANGELOG.md')).toContain('## 7.8.9-rc.1 (2031-02-03)')
  })

  test('a file with another version is reported with its line', () => {
    const manifest = read('client/package.json').replace(/"version": "[^"]+"/, '"version": "7.8.9"')
    writeFileSync(join(folder, 'client/package.json'), manifest)
    expect(lintVersions(folder)).toMatch(/^client\/package\.json:3: the version is 7\.8\.9, but package\.json has \S+$/)
  })

  test('a version without a section in the changelog is reported', () => {
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n')
    expect(lintVersions(folder)).toMatch(/^CHANGELOG\.md: no heading "## \S+ \(unreleased\)"/)
  })
})
