-- Creates the login that Bellhop runs as, separate from the owner of its tables. Run it with psql as an administrator:
--   psql --set=password=… --file=deploy/postgres-roles.sql "$OWNER_DATABASE_URL"
-- Its rights on each table are granted by: npm run store -- migrate --role bellhop_app
-- Stops at the first error, with exit code 3.
\set ON_ERROR_STOP on
select 'create role bellhop_app login' where not exists (select from pg_roles where rolname = 'bellhop_app') \gexec
alter role bellhop_app with login nosuperuser nocreatedb nocreaterole password :'password';
