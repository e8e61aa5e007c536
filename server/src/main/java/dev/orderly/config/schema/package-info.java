/**
 * Every key of the configuration file with the type of its values: the table from which values are checked and the
 * reference is written.
 */
@Internal
@NullMarked
package dev.orderly.config.schema;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
