/**
 * What contracts run with: random lists of commands, texts that stores may mistake, threads that call, and ports whose
 * answers are checked.
 */
@Internal
@NullMarked
package dev.orderly.testkit.contract.input;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
