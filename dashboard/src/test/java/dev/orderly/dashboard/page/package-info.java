/** Tests. */
@NullMarked
package dev.orderly.dashboard.page;

import org.jspecify.annotations.NullMarked;
