/** Assertions about what was pushed, for tests with AssertJ, which the kit does not bring. */
@NullMarked
package dev.orderly.testkit.assertj;

import org.jspecify.annotations.NullMarked;
