/** Bounds on the use of a room by one address at one gate: {@link dev.orderly.room.quota.AddressQuotas}. */
@Internal
@NullMarked
package dev.orderly.room.quota;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
