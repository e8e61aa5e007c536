/**
 * How keys of the configuration file are described: their names, the types of their values, and the meaning of their
 * absence. Values are checked, and the reference is written, from such descriptions.
 */
@Internal
@NullMarked
package dev.orderly.config.schema;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
