/**
 * Reads a configuration: file, environment and command line in, a checked {@link dev.orderly.config.Config} or every
 * problem out.
 */
@Internal
@NullMarked
package dev.orderly.config.reader;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
