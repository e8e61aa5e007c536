/** What contracts run with: random lists of commands, texts that stores may mistake, and threads that call. */
@Internal
@NullMarked
package dev.orderly.testkit.contract.input;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
