# Builds Assay on a Debian slim image. The embedded PostgreSQL keeps its data in the volume /data; with DATABASE_URL
# set, the volume is not used.
# A digest pins it: --build-arg NODE_IMAGE=node:22-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:22-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN node -e "import('./scripts/setup.mjs').then((setup) => setup.ensureInstalled())"
COPY openapi-v2.json tsconfig.json tsconfig.client.json ./
COPY client ./client
COPY console ./console
COPY src ./src
RUN node scripts/build.mjs

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 ASSAY_DATA_DIR=/data
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && mkdir /data && chown node:node /data
COPY migrations ./migrations
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--enable-source-maps", "dist/cli/main.js"]
CMD ["serve"]
