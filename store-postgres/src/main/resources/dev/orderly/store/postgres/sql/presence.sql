-- Which users are connected to which nodes. Lost when the server crashes, and only then.

CREATE UNLOGGED TABLE online_node(
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, last_beat bigint NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500);
CREATE UNLOGGED TABLE online(owner text COLLATE "C", node int, PRIMARY KEY(owner, node))
  WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX online_by_node ON online(node);

-- Until the end of the transaction nobody else changes who is online: of two nodes that a user comes to at the same moment
-- the second has to see the first.
CREATE FUNCTION online_lock() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock((1867 * 4294967296) + 'online'::regclass::oid::bigint);
  END $$;
