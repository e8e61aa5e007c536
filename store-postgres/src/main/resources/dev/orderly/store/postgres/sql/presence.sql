-- Connections of users to nodes. Unlogged: a crash of the server loses them, nothing else does.

CREATE UNLOGGED TABLE online_node(
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, last_beat bigint NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500);
CREATE UNLOGGED TABLE online(owner text COLLATE "C", node int, PRIMARY KEY(owner, node))
  WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX online_by_node ON online(node);

-- Serialises changes of online users until the end of the transaction: if a user connects to two nodes at the same
-- moment, the second node has to see the change of the first.
CREATE FUNCTION online_lock() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock((1867 * 4294967296) + 'online'::regclass::oid::bigint);
  END $$;
