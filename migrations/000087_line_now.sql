-- What columns default to: the time of PostgreSQL, or, while its clock is not believed, that of the line which a session
-- carries on. Defaults are compiled, so they do not find `now()` by the search path. After the migrations, every default
-- `now()` becomes this one.
CREATE FUNCTION line_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT pg_catalog.now() + coalesce(nullif(current_setting('latchkey.clock_shift', true), ''), '0')::interval $$;
