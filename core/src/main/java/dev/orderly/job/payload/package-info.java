/**
 * How payloads are written and read: types of queues, their kinds, changes of fields, and checks of stored payloads.
 */
@NullMarked
package dev.orderly.job.payload;

import org.jspecify.annotations.NullMarked;
