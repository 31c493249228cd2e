import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AptInstall } from './apt.ts'
import { run, which } from './shell.ts'

export interface MavenArtifact {
  group: string
  artifact: string
  version: string
  type: string
}

const project = (artifact: MavenArtifact): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>dev</groupId><artifactId>download</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency>
    <groupId>${artifact.group}</groupId><artifactId>${artifact.artifact}</artifactId>
    <version>${artifact.version}</version><type>${artifact.type}</type>
  </dependency></dependencies>
</project>
`

/**
 * Downloads one file into `folder` and returns its path. If the POM or checksum is missing, Maven only prints a
 * warning. Callers must therefore verify the file.
 */
export async function mavenDownload(artifact: MavenArtifact, folder: string, apt: AptInstall): Promise<string> {
  if (!which('mvn')) await apt(['maven'], 'Maven')
  writeFileSync(join(folder, 'pom.xml'), project(artifact))
  await run('mvn', [
    '-B',
    '-q',
    '-f',
    join(folder, 'pom.xml'),
    'dependency:copy-dependencies',
    `-DoutputDirectory=${folder}`,
  ])
  return join(folder, `${artifact.artifact}-${artifact.version}.${artifact.type}`)
}
