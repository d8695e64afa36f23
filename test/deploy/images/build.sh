#!/bin/sh
# Builds stand-ins for the images that compose.yaml and the Dockerfile name, for a machine without their registry: Debian packages, and the
# Node of npm ci. Needs root, docker and debootstrap. Keeps images that are there already.
set -eu
here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
root=$here/../../..
mirror=${MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

there() { docker image inspect "$1" >/dev/null 2>&1; }
build() { there "$1" || DOCKER_BUILDKIT=0 docker build --network host --build-arg "MIRROR=$mirror" --file "$here/${1#bellhop-test-}.Dockerfile" --tag "$1" "$2"; }

if ! there bellhop-test-debian; then
  debootstrap --variant=minbase --include=ca-certificates,libatomic1 trixie "$work/debian" "$mirror"
  # The machine's own authorities: behind a proxy of a company, npm needs them.
  cat "${NODE_EXTRA_CA_CERTS:-/dev/null}" >>"$work/debian/etc/ssl/certs/ca-certificates.crt"
  tar -C "$work/debian" -c . | docker import - bellhop-test-debian
fi
mkdir "$work/node"
cp "$root"/node_modules/node-linux-*/bin/node "$work/node/node"
cp -rL "${npm_execpath%/bin/*}" "$work/node/npm"
build bellhop-test-node "$work/node"
build bellhop-test-services "$here"
build bellhop-test-nginx "$here"
build bellhop-test-postgres "$here"
