FROM bellhop-test-services
COPY postgres-entrypoint.sh /entrypoint.sh
RUN ln -s /usr/lib/postgresql/18/bin/* /usr/local/bin/ 2>/dev/null; \
    rm -rf /var/lib/postgresql && mkdir /var/lib/postgresql && chown postgres /var/lib/postgresql
USER postgres
ENV PGHOST=/tmp LANG=C.UTF-8
ENTRYPOINT ["/bin/sh", "/entrypoint.sh"]
