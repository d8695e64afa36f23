# Debian unstable has the nginx and the PostgreSQL that compose.yaml names.
FROM bellhop-test-debian
ARG MIRROR
RUN echo "deb $MIRROR sid main" >/etc/apt/sources.list \
    && printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d \
    && apt-get -o Acquire::Check-Valid-Until=false update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends nginx-light postgresql
