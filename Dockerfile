# Two stages: the final image has neither npm packages nor the bundler. The digest pins the base image, the tag names it: change both
# together (docs/dependencies.md).
FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/with-node scripts/build.ts scripts/bundle-page.ts scripts/dependencies.ts scripts/write-sbom.ts ./scripts/
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
COPY package.json ./
COPY examples/bellhop.example.yaml ./examples/
COPY --from=build /app/dist ./dist
COPY --from=build /app/bellhop.cdx.json ./
# The embedded store needs a persistent volume at /data. With DATABASE_URL, only the last sealed checkpoint is written there.
RUN install --directory --owner=node --group=node --mode=0700 /data compile-cache
VOLUME /data
USER node
# Fills the compile cache for this user and this version of Node. A start only reads it.
RUN node dist/start.js --help && chmod --recursive a-w compile-cache
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The options are explained in docs/operations.md, Memory.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=300", "dist/start.js"]
