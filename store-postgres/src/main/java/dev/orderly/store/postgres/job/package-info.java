/** The jobs port: one class for each request, and what requests share. */
@Internal
@NullMarked
package dev.orderly.store.postgres.job;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
