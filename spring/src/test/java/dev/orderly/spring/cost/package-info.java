/** What the starter costs, measured. */
@NullMarked
package dev.orderly.spring.cost;

import org.jspecify.annotations.NullMarked;
