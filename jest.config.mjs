export default {
  // Test files are native ES modules, as the service is; a process imports a module once for all its test files.
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  transform: {},
  // The built packages have the names of their sources.
  modulePathIgnorePatterns: ['<rootDir>/build/'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/shared-stack.mjs',
  globalTeardown: '<rootDir>/test/support/shared-stack-teardown.mjs',
  reporters: ['default', '<rootDir>/test/support/time-limit.ts'],
}
