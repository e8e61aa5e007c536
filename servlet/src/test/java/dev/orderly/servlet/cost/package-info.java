/** What the parts cost, measured by hand. */
@NullMarked
package dev.orderly.servlet.cost;

import org.jspecify.annotations.NullMarked;
