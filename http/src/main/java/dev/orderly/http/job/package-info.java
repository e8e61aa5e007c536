/** Jobs as their users see them: as JSON, or as an event stream. */
@NullMarked
package dev.orderly.http.job;

import org.jspecify.annotations.NullMarked;
