# syntax=docker/dockerfile:1
# One image for the API (the default command), the worker (node activities/worker.ts), and the commands `ganglion` and
# `ganglion-admin`. Node runs the TypeScript sources. Only the workflow bundle, the console and the chat widget are built.

FROM node:24.21.0-trixie-slim AS base
WORKDIR /app

FROM base AS manifests
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY cli/package.json cli/

FROM manifests AS packages
# No package needs its install script: native parts are separate packages. Removes files that no process reads: type
# declarations, source maps and native files for other systems.
RUN --mount=type=cache,target=/root/.npm \
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules client/node_modules -type f -regex '.*\.\(map\|d\.[cm]?ts\)' -delete \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM manifests AS build
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY activities activities
COPY client client
COPY console console
COPY deploy/licenses deploy/licenses
COPY domain domain
COPY workflows workflows
RUN npm run build

FROM base
# Reaps the processes that document readers leave behind, and passes signals on.
RUN apt-get update && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
COPY --from=packages /app/node_modules node_modules
# The API serves one file of this package. The entry next to it is how the file is found.
COPY --from=build /app/node_modules/@scalar/api-reference/package.json node_modules/@scalar/api-reference/
COPY --from=build /app/node_modules/@scalar/api-reference/dist/index.js node_modules/@scalar/api-reference/dist/
COPY --from=build /app/node_modules/@scalar/api-reference/dist/browser/standalone.js node_modules/@scalar/api-reference/dist/browser/
COPY package.json package-lock.json LICENSE NOTICE ./
COPY activities activities
COPY api api
COPY cli/package.json cli/
COPY cli/bin cli/bin
COPY cli/src cli/src
COPY client/package.json client/
COPY --from=packages /app/client/node_modules client/node_modules
COPY client/src client/src
COPY config config
COPY contract contract
COPY data data
COPY deploy/core.json deploy/compile.ts deploy/healthcheck.sh deploy/generate-env.sh deploy/
COPY domain domain
COPY migrations migrations
COPY observability observability
COPY search search
COPY services services
COPY streams streams
COPY workflows workflows
COPY --from=build /app/build build
RUN ln -s /app/cli/bin/ganglion.mjs /usr/local/bin/ganglion && ln -s /app/api/admin.ts /usr/local/bin/ganglion-admin

# Node loads compiled modules from this folder, which only root can change. Node looks for the folder of the user that
# wrote it.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/compile-cache
RUN install -d -o 1000 -g 1000 compile-cache \
  && setpriv --reuid=1000 --regid=1000 --clear-groups node deploy/compile.ts \
  && chown -R root:root compile-cache && chmod -R a+rX compile-cache

ENV HOST=0.0.0.0 METRICS_HOST=0.0.0.0 WORKER_HEALTH_HOST=0.0.0.0 WORKER_HEALTH_PORT=8081
ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title=Ganglion \
  org.opencontainers.image.description="Durable AI agents and approval workflows on Temporal" \
  org.opencontainers.image.licenses=Apache-2.0 \
  org.opencontainers.image.source=https://github.com/ganglion/ganglion \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION
USER 1000:1000
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["deploy/healthcheck.sh"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "api/main.ts"]
