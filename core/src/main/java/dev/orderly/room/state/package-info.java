/**
 * The rules of {@link dev.orderly.room.store.RoomStore} as a state machine in memory, for stores that one process
 * owns: {@link dev.orderly.room.state.RoomStateMachine}.
 */
@Internal(to = {"dev.orderly.store.sqlite", "dev.orderly.testkit", "dev.orderly.rehearsal"})
@NullMarked
package dev.orderly.room.state;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
