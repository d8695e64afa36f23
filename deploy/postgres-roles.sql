-- The login that Bellhop runs as, beside the owner of its tables: for psql, as an administrator of the server.
--   psql --set=password=… --file=deploy/postgres-roles.sql "$OWNER_DATABASE_URL"
-- What it may do with each table is granted by: npm run store -- migrate --role bellhop_app
-- What is refused ends it, with exit code 3.
\set ON_ERROR_STOP on
select 'create role bellhop_app login' where not exists (select from pg_roles where rolname = 'bellhop_app') \gexec
alter role bellhop_app with login nosuperuser nocreatedb nocreaterole password :'password';
