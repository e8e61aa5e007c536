/** Pages that find jobs, dead letters by error, and groups; and bulk operations on what was found. */
@NullMarked
package dev.orderly.dashboard.search;

import org.jspecify.annotations.NullMarked;
