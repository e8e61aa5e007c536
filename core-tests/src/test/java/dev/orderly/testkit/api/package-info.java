/** What the public Java API refuses. */
@NullMarked
package dev.orderly.testkit.api;

import org.jspecify.annotations.NullMarked;
