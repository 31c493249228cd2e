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
  // The built packages have the names of their sources.
  modulePathIgnorePatterns: ['<rootDir>/build/'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/shared-stack.mjs',
  globalTeardown: '<rootDir>/test/support/shared-stack-teardown.mjs',
  // Longer than the waits inside a test, so that the wait explains itself.
  testTimeout: 300_000,
}
