/** The edge under faults: clients that are greedy, hostile or broken, and what others get all the same. */
@NullMarked
package dev.orderly.http.resilience;

import org.jspecify.annotations.NullMarked;
