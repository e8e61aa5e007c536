/** The rooms port: functions of the database, called once for each request. */
@Internal
@NullMarked
package dev.orderly.store.postgres.room;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
