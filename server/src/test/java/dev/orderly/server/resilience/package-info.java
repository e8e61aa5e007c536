/** The promises of the whole program under faults and greedy clients. */
@NullMarked
package dev.orderly.server.resilience;

import org.jspecify.annotations.NullMarked;
