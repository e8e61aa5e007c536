-- The room as it stands.
-- Answers the state.

save_all()
return state()
