# One image for the API (the default command), the worker (node activities/worker.ts) and the migrations
# (node migrations/migrate.ts). Node runs the TypeScript as it is; only the workflow bundle is built.

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY cli/package.json cli/
# No package needs its install script: native parts come as packages of their own. The script of onnxruntime-node would
# download CUDA, and the model runs on the CPU.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  # Only browsers load onnxruntime-web, and the packages have native files for all systems.
  && rm -rf node_modules/onnxruntime-web node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32 \
    node_modules/@temporalio/core-bridge/releases/*-apple-* node_modules/@temporalio/core-bridge/releases/*-windows-*

FROM python:3.13-slim-bookworm AS embedding-model
COPY deploy/embedding-model.py /
RUN python /embedding-model.py /model

FROM packages AS bundle
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim
# Compiled modules are kept, so that the process of each document need not compile its reader again.
ENV NODE_ENV=production EMBEDDING_MODEL_DIR=/model NODE_COMPILE_CACHE=/tmp/compile-cache
WORKDIR /app
COPY --from=embedding-model /model /model
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
