# Two stages: what npm installs and the bundler are not in the image that runs. The digest decides, the tag says what it is: both are
# changed together (docs/dependencies.md).
FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build.ts scripts/dependencies.ts scripts/write-sbom.ts ./scripts/
COPY src ./src
RUN npm run build && npm run --silent sbom > bellhop.cdx.json

FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/compile-cache \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    BELLHOP_CONFIG=/config/bellhop.yaml
WORKDIR /app
COPY package.json bellhop.example.yaml ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/bellhop.cdx.json ./
# The embedded store needs /data to be a volume that is kept; with DATABASE_URL only the last checkpoint is written there.
RUN install --directory --owner=node --group=node --mode=0700 /data compile-cache
VOLUME /data
USER node
# Node keeps what it compiles, for this user and this version of it; a start only reads it.
RUN node dist/start.js --help && chmod --recursive a-w compile-cache
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# docs/operations.md says why the options.
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=300", "dist/start.js"]
