-- Indexes that only the statements meant for them can use. The planner compares indexes by the statistics of the moment
-- in which a session plans, and the session keeps the plan. On a table that was vacuumed while it was empty all indexes
-- cost the same: a look for one visitor would read every entry of a line, and one for the first job of a group every
-- job. So statements name their index by an expression, which no other one has: line + 0, - line, line * 1, until + 0,
-- kind + 0, at + 0, the order seq + 0, state - 2 = 0, state - 3 >= 0.

CREATE INDEX IF NOT EXISTS pass_by_end ON pass((line + 0), (until + 0));
CREATE INDEX IF NOT EXISTS pass_untaken_by_place ON pass((- line), place) WHERE NOT taken;
CREATE INDEX IF NOT EXISTS voided_by_number ON voided((line + 0), number);
CREATE INDEX IF NOT EXISTS voided_by_end ON voided((line * 1), (until + 0));
CREATE INDEX IF NOT EXISTS voided_moves ON voided((- line)) WHERE moved_to IS NOT NULL;
CREATE INDEX IF NOT EXISTS present_by_end ON present((line + 0), (until + 0));
CREATE INDEX IF NOT EXISTS user_place_by_end ON user_place((line + 0), (until + 0));
CREATE INDEX IF NOT EXISTS user_place_by_visitor ON user_place((- line), visitor);
CREATE INDEX IF NOT EXISTS recent_by_end ON recent((kind + 0), (until + 0));
CREATE INDEX IF NOT EXISTS lease_by_end ON lease(until);
CREATE INDEX IF NOT EXISTS ended_by_moment ON ended(ended_at);
CREATE INDEX IF NOT EXISTS ended_by_state ON ended(queue, state, seq) WHERE state >= 0;
CREATE INDEX IF NOT EXISTS minute_by_age ON minute((at + 0));
CREATE INDEX IF NOT EXISTS hour_by_age ON hour((at + 0));
CREATE INDEX IF NOT EXISTS job_group_live ON job(queue, grp, (seq + 0)) WHERE state <= 2 AND grp IS NOT NULL;
CREATE INDEX IF NOT EXISTS job_group_running ON job(queue, grp, seq) WHERE state - 2 = 0 AND grp IS NOT NULL;
CREATE INDEX IF NOT EXISTS job_group_halting ON job(queue, grp) WHERE state - 4 = 0;
CREATE INDEX IF NOT EXISTS job_by_node ON job(node, (seq + 0)) WHERE state = 2;
CREATE INDEX IF NOT EXISTS job_by_key ON job(queue, flow_key, priority, (seq + 0))
  WHERE flow_key IS NOT NULL AND state = 0;
CREATE INDEX IF NOT EXISTS job_by_batch ON job(batch, state, (seq + 0)) WHERE batch IS NOT NULL;
CREATE INDEX IF NOT EXISTS job_dead_by_error ON job(queue, error, (seq + 0)) WHERE state - 3 >= 0;
CREATE INDEX IF NOT EXISTS job_dead_by_queue ON job(queue, (seq + 0)) WHERE state >= 3;
DROP INDEX IF EXISTS pass_until;
DROP INDEX IF EXISTS pass_untaken;
DROP INDEX IF EXISTS voided_number;
DROP INDEX IF EXISTS voided_moved;
DROP INDEX IF EXISTS present_until;
DROP INDEX IF EXISTS user_place_until;
DROP INDEX IF EXISTS user_place_visitor;
DROP INDEX IF EXISTS recent_by_time;
DROP INDEX IF EXISTS lease_until;
DROP INDEX IF EXISTS ended_by_time;
DROP INDEX IF EXISTS ended_by_queue;
DROP INDEX IF EXISTS minute_at;
DROP INDEX IF EXISTS hour_at;
DROP INDEX IF EXISTS job_grouped;
DROP INDEX IF EXISTS job_grouped_held;
DROP INDEX IF EXISTS job_grouped_halting;
DROP INDEX IF EXISTS job_held;
DROP INDEX IF EXISTS job_keyed;
DROP INDEX IF EXISTS job_member;
DROP INDEX IF EXISTS job_dead;
DROP INDEX IF EXISTS job_dead_error;
