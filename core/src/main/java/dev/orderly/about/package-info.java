/** What a running server tells about itself: its configuration in force, its listeners, its store. */
@NullMarked
package dev.orderly.about;

import org.jspecify.annotations.NullMarked;
