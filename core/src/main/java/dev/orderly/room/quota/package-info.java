/** What one address may take of a room at one gate: {@link dev.orderly.room.quota.AddressQuotas}. */
@Internal
@NullMarked
package dev.orderly.room.quota;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
