# One image for the API (the default command), the worker (node activities/worker.ts) and the migrations
# (node migrations/migrate.ts). Node runs the TypeScript as it is; only the workflow bundle is built.

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY cli/package.json cli/
# No package needs its install script: native parts come as packages of their own.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  # Packages have native files for all systems.
  && rm -rf node_modules/@temporalio/core-bridge/releases/*-apple-* node_modules/@temporalio/core-bridge/releases/*-windows-*

FROM packages AS bundle
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim
# Compiled modules are kept, so that the process of each document need not compile its reader again.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/tmp/compile-cache
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
COPY --from=bundle /app/build build
# The API serves one file of this package; the entry beside it is how the file is found.
COPY --from=bundle /app/node_modules/@scalar/api-reference/package.json node_modules/@scalar/api-reference/
COPY --from=bundle /app/node_modules/@scalar/api-reference/dist/index.js node_modules/@scalar/api-reference/dist/
COPY --from=bundle /app/node_modules/@scalar/api-reference/dist/browser/standalone.js node_modules/@scalar/api-reference/dist/browser/
USER node
EXPOSE 8080
CMD ["node", "api/main.ts"]
