# The playground in an image: docker build --file deploy/demo.Dockerfile --tag bellhop:demo .
# It listens on this machine only, so it runs on the network of the host: docker run --rm --init --network host bellhop:demo
FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY manifest.json ./
COPY scripts/with-node ./scripts/
COPY src ./src
COPY playground ./playground
COPY examples ./examples
ENV DATA_DIR=/data \
    NODE_COMPILE_CACHE=/data/compile-cache
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
CMD ["node", "src/start.js"]
