-- Answers the state of the room.

save_all()
return state()
