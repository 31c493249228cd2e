/** Tests run as native ES modules: swc only strips the types, packages load as they are. */
const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
  ],
}

export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testTimeout: 60_000,
}
