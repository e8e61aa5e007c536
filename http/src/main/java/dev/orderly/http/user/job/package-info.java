/** Jobs as the users they belong to see them: asked for once, or followed. */
@NullMarked
package dev.orderly.http.user.job;

import org.jspecify.annotations.NullMarked;
