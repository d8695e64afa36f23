# Two stages: what npm needs to install is not in the image that runs.
FROM node:26.10.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:26.10.0-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    BELLHOP_CONFIG=/config/bellhop.yaml
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json manifest.json bellhop.example.yaml ./
COPY src ./src
# The embedded store needs /data to be a volume that is kept; with DATABASE_URL nothing is written anywhere.
RUN install --directory --owner=node --group=node --mode=0700 /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/start.js"]
