/**
 * The contract of the rooms port: {@link dev.orderly.testkit.contract.room.RoomStoreContract}, and a part for each
 * subject.
 */
@NullMarked
package dev.orderly.testkit.contract.room;

import org.jspecify.annotations.NullMarked;
