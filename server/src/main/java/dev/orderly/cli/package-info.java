/** The command line: what people and scripts type. The only place that prints and that ends the process. */
@NullMarked
package dev.orderly.cli;

import org.jspecify.annotations.NullMarked;
